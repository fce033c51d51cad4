import KeyedArchives

/// What comes next in a property list, front to back.
enum PropertyListEvent: Equatable {
    case dictionary
    case array
    /// The innermost dictionary or array ends.
    case end
    /// The key of the next value in a dictionary.
    case key(String)
    /// A value that is not a container.
    case value(PropertyListValue)
    /// A value of more bytes than a record may have.
    case tooLarge
}
