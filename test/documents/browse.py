"""Clicks through a page in chromium, headless: BROWSER PAGE.

The browser is told what to do over its debugging protocol, which is JSON over a
WebSocket; what little of that is needed is here.
"""
import base64, json, os, pathlib, re, socket, subprocess, sys, tempfile, time
import urllib.request


class Socket:
    """A client of one WebSocket; messages are texts below 64 MB."""

    def __init__(self, url):
        host, port, path = re.match(r'ws://([^:/]+):(\d+)(/.*)', url).groups()
        self.socket = socket.create_connection((host, int(port)), 30)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((
            'GET %s HTTP/1.1\r\nHost: %s:%s\r\nUpgrade: websocket\r\n'
            'Connection: Upgrade\r\nSec-WebSocket-Key: %s\r\n'
            'Sec-WebSocket-Version: 13\r\n\r\n' % (path, host, port, key)
        ).encode())
        answer = b''
        while not answer.endswith(b'\r\n\r\n'):
            answer += self.read(1)
        self.number = 0

    def read(self, count):
        data = b''
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                sys.exit('the browser hung up')
            data += part
        return data

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        head = bytes([0x81]) + (
            bytes([0x80 | size]) if size < 126 else
            bytes([0x80 | 126]) + size.to_bytes(2, 'big') if size < 65536 else
            bytes([0x80 | 127]) + size.to_bytes(8, 'big'))
        self.socket.sendall(head + mask + bytes(
            byte ^ mask[i % 4] for i, byte in enumerate(data)))

    def receive(self):
        text = b''
        while True:
            first, size = self.read(2)
            if size == 126:
                size = int.from_bytes(self.read(2), 'big')
            elif size == 127:
                size = int.from_bytes(self.read(8), 'big')
            text += self.read(size)
            if first & 0x80:
                return text.decode()

    def call(self, method, **parameters):
        self.number += 1
        self.send(json.dumps({'id': self.number, 'method': method,
                              'params': parameters}))
        while True:
            answer = json.loads(self.receive())
            if answer.get('id') == self.number:
                return answer['result']


class Browser:
    def __init__(self, command, folder):
        self.process = subprocess.Popen(
            [command, '--headless', '--no-sandbox', '--disable-gpu',
             '--remote-debugging-port=0', '--user-data-dir=' + folder,
             'about:blank'], stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL, text=True)
        for line in self.process.stderr:
            if 'DevTools listening on' in line:
                break
        else:
            sys.exit('the browser does not start')
        port = re.search(r':(\d+)/', line).group(1)
        pages = json.load(urllib.request.urlopen(
            'http://127.0.0.1:%s/json/list' % port, timeout=30))
        self.socket = Socket(next(page['webSocketDebuggerUrl']
                                  for page in pages if page['type'] == 'page'))

    def run(self, script):
        answer = self.socket.call('Runtime.evaluate', expression=script,
                                  returnByValue=True)
        if 'exceptionDetails' in answer:
            sys.exit('%s: %s' % (script, answer['exceptionDetails']))
        return answer['result'].get('value')

    def want(self, script, value):
        """It may take a moment."""
        for _ in range(100):
            found = self.run(script)
            if found == value:
                return
            time.sleep(0.05)
        sys.exit('%s is %r, not %r' % (script, found, value))

    def key(self, key, text=None):
        more = {'text': text} if text else {}
        self.socket.call('Input.dispatchKeyEvent', type='keyDown', key=key,
                         **more)
        self.socket.call('Input.dispatchKeyEvent', type='keyUp', key=key)


VISIBLE = '''Array.from(document.querySelectorAll("#kernels > details"))
  .filter(k => !k.hidden).map(k => k.querySelector(".name").textContent)
  .join(" ")'''
SCRIPT = '<script>alert(1)</script>'


def browse(browser, page):
    browser.socket.call('Page.navigate', url=page)
    browser.want('document.readyState', 'complete')
    browser.want(VISIBLE, 'tile<256> roles %s fine' % SCRIPT)
    browser.want('document.getElementById("k1").open', True)

    # Chips of verdicts.
    chip = 'document.querySelector(".chip[data-verdict=%s]").click()'
    browser.run(chip % 'racy')
    browser.want(VISIBLE, 'tile<256>')
    browser.want('document.getElementById("shown").textContent', '1 of 4')
    browser.run(chip % 'verified')
    browser.want(VISIBLE, 'tile<256> fine')
    browser.want('location.hash', '#verdict=racy&verdict=verified')
    browser.run(chip % 'racy')
    browser.run(chip % 'verified')

    # Text, by keys; a problem's sentence counts, too.
    browser.key('/', '/')
    browser.want('document.activeElement.id', 'text')
    for letter in 'warp':
        browser.key(letter, letter)
    browser.want(VISIBLE, 'roles')
    browser.key('Escape')
    browser.want(VISIBLE, 'tile<256> roles %s fine' % SCRIPT)

    # Sorting by time, up and down.
    browser.run('document.querySelector("[data-sort=seconds]").click()')
    browser.want(VISIBLE, 'fine %s roles tile<256>' % SCRIPT)
    browser.run('document.querySelector("[data-sort=seconds]").click()')
    browser.want(VISIBLE, 'tile<256> roles %s fine' % SCRIPT)

    # Down to the second kernel, and into it.
    browser.run('document.querySelector("#k1 > summary").focus()')
    browser.key('j', 'j')
    browser.want('document.activeElement.parentNode.id', 'k2')
    browser.key('Enter', '\r')
    browser.want('document.getElementById("k2").open', True)
    browser.want('document.querySelectorAll("#k2 svg .waits").length', 2)
    browser.want('document.querySelector("#k2 .cycle").checkVisibility()', True)

    # Both lanes, and the access of each.
    for lane, lines in (('a', 4), ('b', 5)):
        browser.want('document.querySelector("#k1 .source")'
                     '.querySelectorAll("td.%s").length' % lane, lines)
        browser.want('document.querySelector("#k1 .source td.%s.at")'
                     '.parentNode.textContent.includes("s[t")' % lane, True)

    # Where a place has no room its folder is cut, and not the file.
    browser.run('document.querySelector("#k4 .place").style.width = "90px"')
    for part, is_cut in (('folder', True), ('file', False)):
        browser.want('(e => e.scrollWidth > e.clientWidth)'
                     '(document.querySelector("#k4 .%s"))' % part, is_cut)

    # A name is text and no markup, and a view can be sent to somebody.
    browser.want('document.scripts.length', 1)
    browser.socket.call('Page.navigate', url=page + '#text=fine&open=k4')
    browser.want(VISIBLE, 'fine')
    browser.want('document.getElementById("k4").open', True)


with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
    browser = Browser(sys.argv[1], folder)
    try:
        browse(browser, pathlib.Path(sys.argv[2]).resolve().as_uri())
    finally:
        browser.process.kill()
        browser.process.wait()
