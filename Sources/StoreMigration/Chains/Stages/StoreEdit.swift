public import PersistentStores
public import StoreEditing

/// An edit of the objects of one version, before or after a step of a chain.
public struct StoreEdit: Sendable {
    enum Work: Sendable {
        case step(EditStep)
        case code(@Sendable (SQLiteStore) throws -> Void)
    }

    let work: Work

    /// A description of the edit.
    public let text: String

    /// Creates an edit that does the same as a step of `ferry edit`, under the rules of the model.
    public static func step(_ step: EditStep) -> Self { Self(work: .step(step), text: step.description) }

    /// Creates an edit that sets attributes of objects to the values of expressions.
    ///
    /// - Parameters:
    ///   - entity: the name of the entity.
    ///   - filter: a predicate; nil for all objects.
    ///   - values: the attributes, each with the expression of its new value.
    public static func update(
        _ entity: String, where filter: String? = nil, set values: [(attribute: String, expression: String)]
    ) -> Self {
        step(
            .update(
                entity, where: filter ?? EditStep.all, set: values.map { EditAssignment($0.attribute, $0.expression) }))
    }

    /// Creates an edit that removes objects, and other objects according to their delete rules.
    ///
    /// - Parameters:
    ///   - entity: the name of the entity.
    ///   - filter: a predicate; nil for all objects.
    ///   - links: which links to these objects are removed.
    public static func delete(
        _ entity: String, where filter: String? = nil, links: LinkRemoval = .byDeleteRules
    ) -> Self {
        step(.delete(entity, where: filter ?? EditStep.all, unlinking: links))
    }

    /// Creates an edit that executes code of the caller, inside a transaction that contains all edits.
    ///
    /// - Parameters:
    ///   - name: the name in the plan. A run only continues an earlier one if the name is the same.
    ///   - body: the code; if it throws an error, the migration ends.
    public static func code(_ name: String, _ body: @escaping @Sendable (SQLiteStore) throws -> Void) -> Self {
        Self(work: .code(body), text: name)
    }

    /// Checks that a version has the entity and the properties of the edit.
    /// - Throws: `EditError` if the edit does not fit the version; no data are read.
    public func check(against version: VersionedModel) throws(EditError) {
        guard case .step(let step) = work else { return }
        try step.check(against: LayoutPrediction.layout(of: version.model))
    }
}
