import type { components } from '../../api/gateway.js';
import { ApiError } from '../http/apiError.mjs';
import type { Slice, Store } from '../store.mjs';

type Customer = components['schemas']['Customer'];
type StoredCustomer = Customer & { account: string };

/** The ID of the organization that owns an account's tickets and customers. */
export const organizationOf = (store: Store, account: string): string =>
	store.idFor(`organization/${account}`);

/** The customers (companies) to whom tickets can be assigned. */
export class Customers {
	readonly #customers: Slice<StoredCustomer[]>;

	constructor(private readonly store: Store) {
		this.#customers = store.addSlice('customers', () => []);
		store.addList('customers', () => this.#customers.value);
	}

	/** An account's customer: one that was created, or the one that it has from the beginning. */
	find(account: string, id: string): Pick<Customer, 'id'> | undefined {
		const first = this.store.accounts.find((one) => one.id === account)?.customerId;
		if (first === id.toLowerCase()) return { id: first };
		return this.#customers.value.find((one) => one.account === account && one.id === id.toLowerCase());
	}

	create(account: string, name: string, address_lines: Customer['address_lines']): Customer {
		if (name.trim() === '') throw new ApiError(422, 'The name is empty.', 'name', 'empty');
		const { store } = this;
		const now = store.now().toISOString();
		const customer: Customer = {
			id: store.nextId('customer'),
			organization_id: organizationOf(store, account),
			provider_customer_id: `C-${String(store.nextNumber('provider-customer')).padStart(6, '0')}`,
			name,
			address_lines,
			created_at: now,
			updated_at: now,
		};
		this.#customers.value.push({ ...customer, account });
		return customer;
	}
}
