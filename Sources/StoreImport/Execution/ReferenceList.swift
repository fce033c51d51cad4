/// The keys by which a record names the objects of a to-many relationship.
struct ReferenceList {
    /// Whether the record says anything of them; an empty list does.
    let isPresent: Bool
    let keys: [ReferenceKey]

    static let absent = ReferenceList(isPresent: false, keys: [])
}
