"""Is each element of the page closed, and is nothing of the user's markup?"""
import sys
from html.parser import HTMLParser

EMPTY = {'meta', 'input', 'path', 'circle', 'rect'}


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.scripts, self.names, self.text = [], 0, set(), []

    def handle_starttag(self, tag, attributes):
        self.scripts += tag == 'script'
        for name, value in attributes:
            if name == 'id':
                if value in self.names:
                    sys.exit('twice: ' + value)
                self.names.add(value)
            if (name.startswith('on') or name == 'src' or
                    name == 'href' and value[0] != '#'):
                sys.exit('an attribute that loads or runs: ' + name)
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in EMPTY:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            sys.exit('not closed before </%s>, line %d' %
                     (tag, self.getpos()[0]))

    def handle_data(self, data):
        self.text.append(data)


with open(sys.argv[1], encoding='utf-8') as file:
    page = Page()
    page.feed(file.read())
text = ''.join(page.text)
if page.open:
    sys.exit('not closed: ' + ' '.join(page.open))
if page.scripts != 1:
    sys.exit('scripts: %d' % page.scripts)
if 'k1' in page.names:
    for words in ('<script>alert(1)</script>', 'asm("\ufffd\ufffd <b>")',
                  'barrier 1: 32 of 64 have come', 'barrier, tile.cu:5:3',
                  'products of sizes that index memory do not wrap',
                  'Without it: possible race on', 'does not compile',
                  "gpuverify 'odd '\\''&\"<x>.cu'"):
        if words not in text:
            sys.exit('is not there: ' + words)
