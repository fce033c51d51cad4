/// The rows of a store, as far as they were counted.
struct RowCounts {
    /// The number of rows, by source slot.
    var byEntity: [Int: Int64] = [:]
    /// The number of source objects for each entity mapping that creates new objects, by its name.
    var byMapping: [String: Int64] = [:]
    /// The number of rows for each destination table.
    var byTable: [String: Int64] = [:]
    /// The number of rows in a source table with several entities that do not belong to an entity, by the root's slot.
    var strangers: [Int: Int64] = [:]
}
