package settledesk.question_test

import data.settledesk
import data.settledesk.example_test as example
import data.settledesk.question

test_the_example_is_well_formed if question.well_formed with input as example.question

test_input_that_is_no_object_is_malformed if {
	every junk in [null, 1, "text", true, [], [{}]] {
		answer := settledesk.decision with input as junk
		startswith(answer.reason, "the question is malformed: `action` is missing, ")
	}
}

test_each_missing_field_is_named if {
	every name in object.keys(question.field_types) {
		answer := settledesk.decision with input as example.without_field(name)
		answer == example.malformed(concat("", ["`", name, "` is missing"]))
	}
}

test_each_missing_fact_is_named if {
	every name in object.keys(question.fact_types) {
		answer := settledesk.decision with input as example.without_fact(name)
		answer == example.malformed(concat("", ["the fact `", name, "` is missing"]))
	}
}

test_each_mistyped_field_is_named if {
	every name, type in question.field_types {
		answer := settledesk.decision with input as example.ask({name: -1}, {})
		answer == example.malformed(concat("", ["`", name, "` is not of type ", type]))
	}
}

test_a_fact_that_is_null_or_mistyped_is_malformed if {
	every name, type in question.fact_types {
		every junk in [null, 7, "text", {}, [], example.known(null), example.known(-1), example.known({})] {
			answer := settledesk.decision with input as example.ask({}, {name: junk})
			answer == example.malformed(concat("", ["the fact `", name, "` is neither unknown nor known as ", type]))
		}
	}
}

test_a_fact_that_is_known_and_unknown_is_malformed if {
	every name, _ in question.fact_types {
		both := object.union(example.facts[name], {"unknown": "but known"})
		startswith(answer(name, both).reason, "the question is malformed: ")
	}
}

test_an_unknown_fact_says_why if {
	startswith(answer("buyer", {"unknown": ""}).reason, "the question is malformed: ")
	startswith(answer("buyer", {"unknown": null}).reason, "the question is malformed: ")
	startswith(answer("buyer", {"unknown": "x", "more": 1}).reason, "the question is malformed: ")
}

test_an_empty_text_is_no_text if startswith(answer("buyer", {"known": ""}).reason, "the question is malformed: ")

test_a_status_that_nobody_knows_is_malformed if {
	answer("subject_status", {"known": "PAID"}) == example.malformed("the fact `subject_status` is neither unknown nor known as status")
}

test_money_has_whole_minor_units_and_a_currency if {
	every junk in [
		{"known": 10.5, "currency": "EUR"},
		{"known": "10", "currency": "EUR"},
		{"known": 10},
		{"known": 10, "currency": "EURO"},
		{"known": 10, "currency": null},
		{"known": 10, "currency": "EUR", "more": 1},
		{"known": true, "currency": "EUR"},
	] {
		startswith(answer("total", junk).reason, "the question is malformed: ")
	}
}

test_amounts_beyond_what_numbers_hold_are_malformed if {
	every minor in [question.amount_max_minor + 1, 0 - (question.amount_max_minor + 1)] {
		startswith(answer("total", example.eur(minor)).reason, "the question is malformed: ")
	}
	answer("total", example.eur(question.amount_max_minor)).role == "controller"
}

test_lists_hold_texts_only if {
	every junk in ["text", {}, [1], [""], [null], ["a", ["b"]]] {
		startswith(asked({"reasons": junk}).reason, "the question is malformed: ")
		startswith(asked({"evidence": junk}).reason, "the question is malformed: ")
		startswith(answer("ungrounded_citations", {"known": junk}).reason, "the question is malformed: ")
	}
}

test_another_schema_is_malformed if {
	every schema in [0, 2, "1", true, [1]] {
		asked({"schema": schema}) == example.malformed("`schema` is not of type schema")
	}
}

test_several_faults_are_all_named_in_order if {
	answer := settledesk.decision with input as example.ask({"proposer": 1, "action": 2}, {})
	answer == example.malformed("`action` is not of type string, `proposer` is not of type string")
}

test_a_fact_that_the_policy_does_not_know_is_ignored if {
	answer("colour", "red") == example.to_buyer("bob")
}

answer(name, fact) := result if {
	result := settledesk.decision with input as example.ask({}, {name: fact})
}

asked(fields) := result if {
	result := settledesk.decision with input as example.ask(fields, {})
}
