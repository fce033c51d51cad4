import ManagedObjectModels

/// What a block has at a place of a row.
enum ReadValue {
    /// The column was not read yet.
    case unread
    /// The store does not have the row.
    case absent
    case value(AttributeValue?)
}
