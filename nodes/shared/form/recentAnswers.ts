interface RecentAnswer<T> {
	askedAt: number;
	answer: Promise<T>;
}

/**
 * Keeps the answers of the last minute: each call may cost credits, and a list is requested again at every letter
 * typed.
 */
export class RecentAnswers<T> {
	/** In the order in which they were asked for. */
	private readonly answers = new Map<string, RecentAnswer<T>>();

	/**
	 * @param most that are kept; the oldest one is dropped
	 * @param lifetime milliseconds
	 */
	constructor(
		private readonly most: number,
		private readonly lifetime = 60_000,
	) {}

	/**
	 * Returns the recent answer, or requests one: once, even if several callers want it at the same time.
	 * @param key identifies everything that the answer depends on
	 * @param ask rejects if there is no answer; a rejection isn't kept
	 */
	async get(key: string, ask: () => Promise<T>): Promise<T> {
		this.dropOld();
		const known = this.answers.get(key);
		if (known) return await known.answer;
		const asked = { askedAt: Date.now(), answer: ask() };
		this.answers.set(key, asked);
		const [oldest] = this.answers.keys();
		if (this.answers.size > this.most) this.answers.delete(oldest);
		const drop = () => this.answers.get(key) === asked && this.answers.delete(key);
		void asked.answer.catch(drop);
		return await asked.answer;
	}

	private dropOld(): void {
		for (const [key, { askedAt }] of this.answers) {
			if (Date.now() - askedAt >= this.lifetime) this.answers.delete(key);
		}
	}
}
