/** The fields of a payment that identify payer and payee. */
const OF_PAYMENT = [
	'payment_attributes.debtor_iban',
	'payment_attributes.creditor_iban',
	'payment_attributes.customer_ip_address',
];
/** The fields of a bank transaction that identify payer and payee. */
const OF_TRANSACTION = ['extra.payee_information', 'extra.payer_information'];

/** The paths of these fields in the trigger's output, both as read back and as delivered. */
export const SENSITIVE_IN_EVENTS = OF_PAYMENT.flatMap((field) => [`data.${field}`, `delivered.${field}`]);

/**
 * Where IBANs and the like are in the output of the banking node, simplified or not. n8n hides such fields when it
 * shows an execution; the workflow itself sees them. (n8n 2.40 knows the setting, but ignores it so far.)
 */
export const SENSITIVE_IN_BANKING = [
	...[...OF_PAYMENT, ...OF_TRANSACTION].flatMap((field) => [field, `data.${field}`]),
	// Simplified payments and transactions are flat.
	...[...OF_PAYMENT, ...OF_TRANSACTION].map((field) => field.replace(/^.+\./, '')),
	...OF_TRANSACTION.flatMap((field) => [`transactions[*].${field}`, `data[*].transactions[*].${field}`]),
];
