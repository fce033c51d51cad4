import ManagedObjectModels

/// The content of a block at a position of a row.
enum ReadValue {
    /// The column has not been read yet.
    case unread
    /// The store does not have the row.
    case absent
    case value(AttributeValue?)
}
