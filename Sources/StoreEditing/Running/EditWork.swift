import SQLiteAccess

/// The operations of an edit between the beginning and the end of its transaction.
protocol EditWork {
    /// The statements that begin the transaction and lock the store, but not other stores.
    var beginning: String { get }

    /// Called before the transaction begins.
    func opened(_ connection: Connection) throws

    /// Called within the transaction; called again after a rollback if a unique index was violated.
    func run(_ transaction: EditTransaction) throws

    /// Called before the commit or rollback, with the report of the changes; faults that are added prevent the commit.
    func check(_ report: inout EditReport, _ connection: Connection) throws

    /// Called after the commit or rollback.
    func ended(isKept: Bool) throws
}

extension EditWork {
    var beginning: String { "BEGIN IMMEDIATE" }
    func opened(_ connection: Connection) throws {}
    func check(_ report: inout EditReport, _ connection: Connection) throws {}
    func ended(isKept: Bool) throws {}
}

/// A sequence of steps.
struct EditSteps: EditWork {
    let steps: [EditStep]

    func run(_ transaction: EditTransaction) throws { try transaction.run(steps) }
}
