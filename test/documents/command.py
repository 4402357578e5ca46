"""What --sarif makes of two.cu: DOCUMENT STATUS of the command."""
import json, sys

run = json.load(open(sys.argv[1]))['runs'][0]
status = int(sys.argv[2])
found = {(one['kind'], one['locations'][0]['logicalLocations'][0]['name'])
         for one in run['results']}
if found != {('pass', 'good'), ('fail', 'racy')}:
    sys.exit('results: %s' % found)
for one in run['results']:
    for flow in one.get('codeFlows', [{}])[0].get('threadFlows', []):
        lines = [step['location']['physicalLocation']['region']['startLine']
                 for step in flow['locations']]
        if not {5, 7} <= set(lines) or len(flow['immutableState']) < 3:
            sys.exit('way: %s' % lines)
notes = [note['descriptor']['id']
         for note in run['invocations'][0]['toolExecutionNotifications']]
if notes != (['interrupted'] if status > 128 else ['compile', 'use']):
    sys.exit('notifications: %s' % notes)
if run['invocations'][0]['executionSuccessful']:
    sys.exit('it says that all went well')
