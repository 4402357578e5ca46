"""Is the document what the records say, and valid where there is a schema?

The file sarif-schema-2.1.0.json is looked for in SARIF_SCHEMA and in
/usr/share/sarif; without it, or without jsonschema, only what we count on is
looked at.
"""
import json, os, sys

document = json.load(open(sys.argv[1]))
run = document['runs'][0]
driver = run['tool']['driver']
rules = {rule['id']: rule for rule in driver['rules']}
results = run['results']


def want(what, truth):
    if not truth:
        sys.exit('not so: ' + what)


want('version', document['version'] == '2.1.0')
want('semantic version', driver['semanticVersion'].split()[0].count('.') == 2)
want('each rule says all', all(
    {'id', 'shortDescription', 'fullDescription', 'help',
     'defaultConfiguration', 'properties'} <= set(rule)
    for rule in driver['rules']))
want('each result is of its rule', all(
    driver['rules'][one['ruleIndex']]['id'] == one['ruleId']
    for one in results))
kinds = [(one['kind'], one['ruleId'], one['level']) for one in results]
want('kinds ' + str(kinds), kinds == [
    ('fail', 'data-race', 'error'), ('fail', 'data-race', 'warning'),
    ('fail', 'deadlock', 'error'), ('open', 'not-decided', 'none'),
    ('pass', 'verified', 'none')])

race, suppressed, deadlock, unknown, verified = results
flows = race['codeFlows'][0]['threadFlows']
want('two thread flows', [flow['id'] for flow in flows] == [
    'thread (1,0,0) in block (0,0,0)', 'thread (0,0,0) in block (0,0,0)'])
lines = [[step['location']['physicalLocation']['region']['startLine']
          for step in flow['locations']] for flow in flows]
want('ways ' + str(lines), lines == [[4, 5, 6, 7], [4, 5, 6, 9, 11]])
want('related places', [one['physicalLocation']['region']['startLine']
                        for one in race['relatedLocations']] == [7, 11, 5])
want('a mark', len(race['partialFingerprints']['gpuverify/v1']) == 16)
want('suppression', suppressed['suppressions'] == [
    {'kind': 'inSource', 'status': 'accepted',
     'justification': 'both write the same'}])
graph = deadlock['graphs'][0]
want('graph', [(edge['sourceNodeId'], edge['targetNodeId'])
               for edge in graph['edges']] == [('0', '1'), ('1', '0')])
place = unknown['locations'][0]['physicalLocation']
want('uri', place['artifactLocation'] == {
    'uri': 'odd%20%27%26%22%3Cx%3E.cu', 'uriBaseId': 'SRCROOT'})
base = run['originalUriBaseIds']['SRCROOT']['uri']
want('base', base.startswith('file:///') and base.endswith('/'))
invocation = run['invocations'][0]
notes = invocation['toolExecutionNotifications']
want('notifications', [(note['descriptor']['id'], note['level'])
                       for note in notes] ==
     [('not-decided', 'warning'), ('compile', 'error')])
want('not all was decided', invocation['executionSuccessful'] is False)

for schema in (os.environ.get('SARIF_SCHEMA', ''),
               '/usr/share/sarif/sarif-schema-2.1.0.json'):
    if os.path.exists(schema):
        import jsonschema
        jsonschema.validate(document, json.load(open(schema)))
