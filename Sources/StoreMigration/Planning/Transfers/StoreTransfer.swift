import PersistentStores

/// What becomes of a store's objects and links by a mapping, be it inferred or written, before it is decided in which
/// file the work is done.
struct StoreTransfer: Sendable {
    let source: StoreLayout
    let destination: StoreLayout
    let naming: SourceNaming

    /// Whether new objects are made of those of the source. Otherwise they stay what they are, with their keys.
    let recreatesObjects: Bool

    /// In the order in which rows move: a table may get rows of several sources.
    let tables: [TableTransfer]
    let joins: [JoinTransfer]

    /// The derived attributes whose values go over and stay true.
    var keptDerivations: Set<PropertyKey> = []

    /// The highest key that a table may have had, by the name of the destination's root entity.
    var maximumKeys: [String: Int64] = [:]

    // MARK: Objects that are recreated

    /// What must be there before the rows: tables of keys.
    var keySteps: [MigrationStep] = []

    /// What comes between the rows and the join tables.
    var policySteps: [MigrationStep] = []

    /// Links in the rows of objects that are there already.
    var linkSteps: [MigrationStep] = []

    /// The moment of `now()` in expressions, in seconds since 2001; nil if there are none.
    var now: Double?

    /// What SQL calls for expressions that only Swift can evaluate.
    var functions: [ValueFunction] = []

    /// What is validated of the result; nil if nothing is computed.
    var validation: ValidationProgram?

    /// The entity mappings whose values are looked at as they are written.
    var watchedMappings: Set<String> { Set(tables.filter { $0.watched != nil }.compactMap { $0.mapping?.name }) }

    /// The transfer of an entity mapping that makes new objects.
    func table(madeBy mapping: String) -> TableTransfer? {
        tables.first { $0.mapping?.name == mapping }
    }
}
