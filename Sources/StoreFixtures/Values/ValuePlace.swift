/// The object for which a value is generated.
struct ValuePlace: Sendable {
    /// Its number among all objects that have the attribute, from 0, which is unique.
    let number: Int
    let kind: RowKind
}
