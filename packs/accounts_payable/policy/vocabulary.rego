# The words and figures that the policy knows. A change of authority is a change of this file.
package settledesk.vocabulary

# Up to and with this amount a buyer or an AP manager decides, in minor units of the currency of the limits.
# A currency that is not listed has no limit to compare with, so the controller decides.
limit_minor := {
	"CHF": 1000000,
	"EUR": 1000000,
	"GBP": 1000000,
	"USD": 1000000,
}

# Actions that pay the vendor.
pays := {"approve-variance", "short-pay"}

# Actions that a clerk decides at any amount, since they pay nobody.
clerical := {"hold", "request-credit-memo"}

# Reasons that forbid every action that moves money.
never_paid := {"DUPLICATE"}

# Reasons that the buyer of the order judges: the price agreed and the item accepted.
buyer_judges := {"ITEM_SUBSTITUTED", "PRICE_VARIANCE"}

# The other reasons that an AP manager may pay.
#
# A reason that stands in no list is paid by the controller only, at any amount: POSSIBLE_DUPLICATE, PAYEE_MISMATCH,
# VENDOR_BLOCKED, CURRENCY_MISMATCH, CREDIT_WITHOUT_ORIGINAL, CREDIT_OVER_INVOICE and TAX_VARIANCE are left out for that,
# and so is whatever comes later.
manager_pays := {
	"LINE_ARITHMETIC",
	"NOT_BALANCED",
	"NO_PO",
	"NO_RECEIPT",
	"PO_NOT_OPEN",
	"PO_PRICE_UNREADABLE",
	"QTY_OVER_ORDER",
	"QTY_OVER_RECEIPT",
	"UNIT_MISMATCH",
	"UNPLANNED_CHARGE",
	"VENDOR_BANK_CHANGED",
}

# States of the subject; in `settled` and `held` there is less left to propose.
undecided := {"EXCEPTION", "MATCHED", "RECEIVED"}

held := {"ON_HOLD"}

settled := {"APPROVED", "REJECTED"}

statuses := (undecided | held) | settled
