public import PersistentStores
public import StoreEditing

/// A change to the objects of one version, before or behind a step of a chain.
public struct StoreEdit: Sendable {
    enum Work: Sendable {
        case step(EditStep)
        case code(@Sendable (SQLiteStore) throws -> Void)
    }

    let work: Work

    /// What the edit does, in words.
    public let text: String

    /// Does what a step of `ferry edit` does, by the rules of the model.
    public static func step(_ step: EditStep) -> Self { Self(work: .step(step), text: step.description) }

    /// Sets attributes of objects to the values of expressions over them.
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

    /// Removes objects, and what their delete rules take along.
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

    /// Runs code of the caller over the store, inside a transaction that holds all edits.
    ///
    /// - Parameters:
    ///   - name: what the plan calls it; another name is another edit for a run that goes on with an earlier one.
    ///   - body: the code; what it throws ends the migration.
    public static func code(_ name: String, _ body: @escaping @Sendable (SQLiteStore) throws -> Void) -> Self {
        Self(work: .code(body), text: name)
    }

    /// Checks that the entity and the properties of the edit are those of a version.
    /// - Throws: `EditError` where the edit does not fit a version; nothing is read.
    public func check(against version: VersionedModel) throws(EditError) {
        guard case .step(let step) = work else { return }
        try step.check(against: LayoutPrediction.layout(of: version.model))
    }
}
