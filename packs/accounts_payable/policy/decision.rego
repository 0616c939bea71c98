# The answer: one decider, or one true reason why nobody may decide. What proves nothing is forbidden.
package settledesk

import data.settledesk.checks
import data.settledesk.question
import data.settledesk.routing

# METADATA
# entrypoint: true
default decision := {"effect": "forbid", "reason": "the policy has no answer to this question, so nothing is allowed"}

decision := object.union({"effect": "route"}, routing.decider) if {
	question.well_formed
	checks.passed
} else := forbid(checks.refusal) if {
	question.well_formed
} else := forbid(malformed) if {
	count(question.faults) > 0
}

malformed := concat("", ["the question is malformed: ", concat(", ", sort(question.faults))])

forbid(reason) := {"effect": "forbid", "reason": reason}
