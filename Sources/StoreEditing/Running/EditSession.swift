public import ManagedObjectModels
public import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// Runs steps within a transaction of the caller, who also validates what they leave: the part of an edit that a
/// migration's stages need.
///
/// Delete rules, inverses, derived attributes and history are as in `StoreEditor`. Large values stay in their rows, and
/// files of external data stay where they are.
public struct EditSession {
    private let store: SQLiteStore
    private let layout: StoreLayout
    private var options = StoreEditor.Options()

    /// Prepares to run steps on a store.
    /// - Parameters:
    ///   - store: the store, which is open for writing, in a transaction.
    ///   - model: the version that the store was made with.
    ///   - now: the moment of `now()`, in seconds since 2001.
    public init(_ store: SQLiteStore, model: ResolvedModel, now: Double) {
        self.store = store
        layout = store.layout(for: model)
        options.now = now
    }

    /// Runs the steps, each over what those before it have left. Values in JSON become keyed archives.
    ///
    /// - Returns: what each step has done.
    /// - Throws: `EditError` for a step that has no meaning or that a rule denies; `SQLiteError` if the store cannot be
    ///   read or written. Nothing was changed then.
    public func run(_ steps: [EditStep]) throws -> [EditOutcome] {
        let steps = try steps.map { try $0.transformed(by: options.transformers, in: layout.model) }
        let connection = store.connection
        try connection.registerEditFunctions()
        try connection.execute("SAVEPOINT ferry_edit")
        do {
            var outcomes: [EditOutcome]
            do {
                outcomes = try attempt(steps, isGuarded: true)
            } catch let error as SQLiteError where error.isConstraint {
                // Values that are equal for a moment, as in `StoreEditor`.
                try connection.execute("ROLLBACK TO ferry_edit")
                outcomes = try attempt(steps, isGuarded: false)
            }
            try connection.execute("RELEASE ferry_edit")
            return outcomes
        } catch {
            if connection.isInTransaction {
                try? connection.execute("ROLLBACK TO ferry_edit; RELEASE ferry_edit")
            }
            throw error
        }
    }

    private func attempt(_ steps: [EditStep], isGuarded: Bool) throws -> [EditOutcome] {
        let transaction = try EditTransaction(store, layout, nil, options)
        if !isGuarded { try transaction.constraints.release() }
        for step in steps {
            try transaction.run([step])
            if let fault = transaction.faults.first { throw EditError(step, fault.reason) }
        }
        if let fault = try transaction.finishUnvalidated().first, let step = steps.last {
            throw EditError(step, fault.reason)
        }
        return transaction.outcomes
    }
}
