package settledesk_test

import data.settledesk
import data.settledesk.example_test as example

no_answer := example.refused("the policy has no answer to this question, so nothing is allowed")

test_no_question_gets_no_answer if settledesk.decision == no_answer

test_a_proposal_without_a_decider_is_forbidden if {
	answer := settledesk.decision with data.settledesk.routing.decider as null
		with input as example.question
	answer == no_answer
}

test_a_question_that_is_not_well_formed_is_never_routed if {
	answer := settledesk.decision with data.settledesk.question.well_formed as false
		with data.settledesk.question.faults as set()
		with input as example.question
	answer == no_answer
}
