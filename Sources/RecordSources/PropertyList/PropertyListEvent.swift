import KeyedArchives

/// An event in a property list that is read from front to back.
enum PropertyListEvent: Equatable {
    case dictionary
    case array
    /// The innermost dictionary or array ends.
    case end
    /// The key of the next value in a dictionary.
    case key(String)
    /// A value that is not a container.
    case value(PropertyListValue)
    /// A value that exceeds the size limit of a record.
    case tooLarge
}
