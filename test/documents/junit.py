"""Is it well-formed, and does a build server count what there is?"""
import sys
from xml.etree import ElementTree

suites = ElementTree.parse(sys.argv[1]).getroot()


def want(what, truth):
    if not truth:
        sys.exit('not so: ' + what)


want('counts ' + str(suites.attrib), (
    suites.get('tests'), suites.get('failures'), suites.get('errors'),
    suites.get('skipped')) == ('5', '2', '1', '1'))
names = [suite.get('name') for suite in suites]
want('names ' + str(names), names == [
    'tile.cu', 'roles.cu', 'odd \'&"<x>.cu', 'sub/fine.cu', 'broken.cu'])
failure = suites.find('.//testcase[@name="tile<256>"]/failure')
want('failure', failure.get('type') == 'data-race' and
     'writes s[1] (bytes 4..7), tile.cu:7:10' in failure.text and
     'write-write' not in failure.text)
skipped = suites.find('.//testcase[@name="<script>alert(1)</script>"]/skipped')
want('skipped', skipped.get('message') ==
     'unknown: inline assembly \'<b>\' is not modelled, '
     'odd \'&"<x>.cu:2:3')
want('error', suites.find('.//error').get('type') == 'compile')
