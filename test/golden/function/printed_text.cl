// printf reads its format, and the text that a %s stands for.
//
// args:     --local_size=64 --num_groups=1
// verdict:  verified
// bug 1:    racy       other work-items write the text meanwhile
// bug 2:    racy       ... of the second of two texts
// bug 3:    unknown    a number where a text has to be

kernel void tell(global int *out) {
  local char word[64];
  int t = get_local_id(0);
  word[t] = 'a'; // expect 1,2: race on 'word'
#if BUG == 1
  printf("%s", word);
#elif BUG == 2
  printf("%d %s %s", t, "is", word);
#elif BUG == 3
  printf("%s", t); // expect 3: what is printed
#else
  printf("%p %s %d%%", word, "thread", t);
#endif
  out[t] = t;
}
