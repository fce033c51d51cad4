/// The object that a value is for.
struct ValuePlace: Sendable {
    /// Its number among all objects that have the attribute, from 0: no two have the same.
    let number: Int
    let kind: RowKind
}
