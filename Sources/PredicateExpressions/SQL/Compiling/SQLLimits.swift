/// Limits for a predicate or an expression that is compiled to SQL; if exceeded, it is refused, with the part and the
/// reason.
package struct SQLLimits: Sendable {
    /// The maximum number of parts of AND and OR.
    package var parts = 20_000
    /// The maximum number of elements in a list after IN, whose length adds no depth.
    package var elements = 20_000
    /// The maximum number of parameters: SQLite allows 32 766 in a statement, some of which are for its other parts.
    package var parameters = 30_000

    /// Makes the default limits, which SQLite requires.
    package init() {}
}
