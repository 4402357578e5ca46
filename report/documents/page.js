// Filters, sorting and keys.  All state is in the address, so that a view can
// be sent to somebody: #verdict=racy&text=scan&sort=-seconds&open=k3
'use strict';
(function () {
  const list = document.getElementById('kernels');
  const kernels = Array.from(list.children);
  const chips = Array.from(document.querySelectorAll('.chip'));
  const columns = Array.from(document.querySelectorAll('[data-sort]'));
  const box = document.getElementById('text');
  const shown = document.getElementById('shown');
  document.documentElement.classList.add('js');

  const rows = kernels.map(function (kernel, index) {
    const cells = kernel.firstElementChild.children;
    const problems = Array.from(kernel.querySelectorAll('h3'), function (h) {
      return h.textContent;
    });
    return {
      kernel: kernel, index: index, verdict: kernel.dataset.verdict,
      text: (kernel.firstElementChild.textContent + ' ' + problems.join(' ')).toLowerCase(),
      keys: {
        verdict: index, kernel: cells[1].textContent, place: cells[2].textContent,
        problems: problems.length, seconds: parseFloat(cells[4].textContent)
      }
    };
  });

  let state = {verdict: new Set(), text: '', sort: ''};

  function read() {
    const from = new URLSearchParams(location.hash.slice(1));
    state = {
      verdict: new Set(from.getAll('verdict')), text: from.get('text') || '',
      sort: from.get('sort') || ''
    };
    box.value = state.text;
    apply();
    open(from.get('open') || (/^#k\d+$/.test(location.hash) ? location.hash.slice(1) : ''));
  }

  function write() {
    const to = new URLSearchParams();
    state.verdict.forEach(function (verdict) { to.append('verdict', verdict); });
    if (state.text) to.set('text', state.text);
    if (state.sort) to.set('sort', state.sort);
    history.replaceState(null, '', '#' + to);
    apply();
  }

  function open(id) {
    const kernel = id && document.getElementById(id);
    if (!kernel) return;
    kernel.open = true;
    kernel.firstElementChild.focus();
    kernel.scrollIntoView();
  }

  function compare(a, b) {
    const name = state.sort.replace('-', '');
    const x = a.keys[name], y = b.keys[name];
    const order = typeof x === 'number' ? x - y : x.localeCompare(y, undefined, {numeric: true});
    return (state.sort[0] === '-' ? -order : order) || a.index - b.index;
  }

  let sorted = '';
  function sort() {
    if (sorted === state.sort) return;
    sorted = state.sort;
    const known = rows.length && state.sort.replace('-', '') in rows[0].keys;
    const order = rows.slice().sort(known ? compare : function (a, b) { return a.index - b.index; });
    const next = list.nextSibling, parent = list.parentNode;
    list.remove(); // many moves within the page are slow
    list.append.apply(list, order.map(function (row) { return row.kernel; }));
    parent.insertBefore(list, next);
  }

  function apply() {
    const words = state.text.toLowerCase().split(/\s+/);
    let count = 0;
    rows.forEach(function (row) {
      const fits = (!state.verdict.size || state.verdict.has(row.verdict)) &&
        words.every(function (word) { return row.text.includes(word); });
      row.kernel.hidden = !fits;
      count += fits;
    });
    sort();
    shown.textContent = count === rows.length ? '' : count + ' of ' + rows.length;
    chips.forEach(function (chip) {
      chip.setAttribute('aria-pressed', state.verdict.has(chip.dataset.verdict));
    });
    columns.forEach(function (column) {
      const name = column.dataset.sort;
      column.setAttribute('aria-sort', state.sort === name ? 'ascending' :
        state.sort === '-' + name ? 'descending' : 'none');
    });
  }

  function move(step) {
    const visible = Array.from(list.children).filter(function (kernel) { return !kernel.hidden; });
    const at = visible.findIndex(function (kernel) { return kernel.contains(document.activeElement); });
    const to = visible[at < 0 ? 0 : Math.min(Math.max(at + step, 0), visible.length - 1)];
    if (to) to.firstElementChild.focus();
  }

  function copy(button) {
    const code = button.parentNode.querySelector('code');
    const selection = getSelection();
    selection.selectAllChildren(code);
    if (navigator.clipboard)
      navigator.clipboard.writeText(code.textContent).then(function () {
        button.textContent = 'copied';
      }, function () {});
    else if (document.execCommand('copy'))
      button.textContent = 'copied';
  }

  chips.forEach(function (chip) {
    chip.addEventListener('click', function () {
      const verdict = chip.dataset.verdict;
      if (!state.verdict.delete(verdict)) state.verdict.add(verdict);
      write();
    });
  });
  columns.forEach(function (column) {
    column.addEventListener('click', function () {
      const name = column.dataset.sort;
      state.sort = state.sort === name ? '-' + name : state.sort === '-' + name ? '' : name;
      write();
    });
  });
  let timer;
  box.addEventListener('input', function () {
    state.text = box.value;
    clearTimeout(timer);
    timer = setTimeout(write, rows.length > 2000 ? 150 : 0);
  });
  document.addEventListener('click', function (event) {
    if (event.target.classList.contains('copy')) copy(event.target);
  });
  document.addEventListener('keydown', function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === box) {
      if (event.key === 'Escape') {
        box.value = state.text = '';
        write();
        box.blur();
      }
      return;
    }
    if (event.key === '/') {
      event.preventDefault();
      box.focus();
    } else if (event.key === 'j' || event.key === 'k') {
      move(event.key === 'j' ? 1 : -1);
    }
  });
  addEventListener('hashchange', read);
  read();
})();
