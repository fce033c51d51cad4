public import ManagedObjectModels
public import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// Runs steps within a transaction of the caller, who also validates the result: the part of an edit for a migration's
/// stages.
///
/// Delete rules, inverses, derived attributes and history are handled as in `StoreEditor`. Large values stay in their
/// rows, and files of external data are unchanged.
public struct EditSession {
    private let store: SQLiteStore
    private let layout: StoreLayout
    private var options = StoreEditor.Options()

    /// Prepares to run steps on a store.
    /// - Parameters:
    ///   - store: the store, open for writing, in a transaction.
    ///   - model: the model version of the store.
    ///   - now: the value of `now()`, in seconds since 2001.
    public init(_ store: SQLiteStore, model: ResolvedModel, now: Double) {
        self.store = store
        layout = store.layout(for: model)
        options.now = now
    }

    /// Runs the steps, each on the result of the preceding ones. Values in JSON become keyed archives.
    ///
    /// - Returns: the result of each step.
    /// - Throws: `EditError` for a step that is invalid or violates a rule; `SQLiteError` if the store cannot be read
    ///   or written. Nothing is changed in these cases.
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
                // Values are equal for a moment, as in `StoreEditor`.
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
