import PersistentStores

/// How an inferred or written mapping moves a store's objects and links. It does not depend on the file in which the
/// work is done.
struct StoreTransfer: Sendable {
    let source: StoreLayout
    let destination: StoreLayout
    let naming: SourceNaming

    /// Whether new objects are created from those of the source. Otherwise objects are kept, with their keys.
    let recreatesObjects: Bool

    /// The transfers in the order of execution; a table may get rows from several sources.
    let tables: [TableTransfer]
    let joins: [JoinTransfer]

    /// The derived attributes whose values are copied and stay correct.
    var keptDerivations: Set<PropertyKey> = []

    /// The highest key that a table may have had, by the name of the destination's root entity.
    var maximumKeys: [String: Int64] = [:]

    // MARK: Recreated objects

    /// The steps that must precede the rows: they fill tables of keys.
    var keySteps: [MigrationStep] = []

    /// The steps between the rows and the join tables.
    var policySteps: [MigrationStep] = []

    /// The steps that set links in existing rows.
    var linkSteps: [MigrationStep] = []

    /// The time of `now()` in expressions, in seconds since 2001; nil if there are no expressions.
    var now: Double?

    /// The functions that SQL calls for expressions that only Swift can evaluate.
    var functions: [ValueFunction] = []

    /// The validation of the result; nil if no values are computed.
    var validation: ValidationProgram?

    /// The entity mappings whose values are examined as they are written.
    var watchedMappings: Set<String> { Set(tables.filter { $0.watched != nil }.compactMap { $0.mapping?.name }) }

    /// Returns the transfer of an entity mapping that creates new objects.
    func table(madeBy mapping: String) -> TableTransfer? {
        tables.first { $0.mapping?.name == mapping }
    }
}
