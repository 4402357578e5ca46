// Makes compilations in this clang fail.

#ifndef PLUGIN_REFUSAL_H
#define PLUGIN_REFUSAL_H

#ifdef __cplusplus
extern "C" {
#endif

// From now on every compilation ends with an error that says why.
void refuse_to_compile(const char *why);

#ifdef __cplusplus
}
#endif

#endif
