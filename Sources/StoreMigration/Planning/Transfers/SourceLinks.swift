/// SQL for the links of a source relationship as pairs of keys, wherever the source stores them.
struct SourceLinks {
    /// `FROM` and the table, which is called `l`.
    let from: String

    /// The key of the object that has the relationship.
    let owner: String

    /// The key of the object to which it leads.
    let destination: String

    /// The place of the destination among the owner's destinations; nil if there is none.
    let order: String?

    /// The place of the owner among the destination's owners, in the inverse.
    let inverseOrder: String?

    var conditions: [String] = []

    /// The source with its conditions.
    var fromWhere: String {
        from + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
    }
}
