"""Print rulings, logs and letters of every seed of the pack; run in processes of their own by the determinism test."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from world import World

for name in World().erp.seed_names():
    world = World().seed(name)
    state = world.work()
    log = world.desk.store.reader.log(state.id)
    print(name, json.dumps([[entry.kind, entry.data, entry.at] for entry in log], sort_keys=True))
    for letter in world.mailbox.letters:
        print(letter.message_id, letter.recipient, letter.subject, letter.body)
    world.close()
