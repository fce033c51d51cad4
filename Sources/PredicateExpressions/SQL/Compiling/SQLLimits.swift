/// How much a predicate or an expression may have that becomes SQL: what has more is refused, with the part and the reason.
package struct SQLLimits: Sendable {
    /// The parts of AND and OR.
    package var parts = 20_000
    /// The elements of a list after IN, whose length adds no depth.
    package var elements = 20_000
    /// Values that are parameters: SQLite allows 32 766 in a statement; some are for what else it says.
    package var parameters = 30_000

    /// The limits that SQLite needs.
    package init() {}
}
