/// A value in the tree of a nested record: a JSON value, an XML element or an XML attribute.
///
/// The nodes of a batch are in one array; a node refers to its first child and its next sibling by index.
public struct RecordNode: Equatable, Sendable {
    /// The kind of a node.
    public enum Kind: UInt8, Equatable, Sendable {
        /// A value without children; its text is in `value`.
        case scalar
        /// A JSON object or an XML element; its children have names.
        case object
        /// A JSON array; its children have no names.
        case array
        /// An XML attribute; its text is in `value`.
        case attribute
    }

    /// The kind of the node.
    public internal(set) var kind: Kind
    /// The number of its name among the requested names; -1 for other names, and in arrays.
    public internal(set) var symbol: Int32
    /// The bytes of its name; empty in arrays.
    public internal(set) var name: RecordField
    /// Its value; for an XML element, the text directly inside it.
    public internal(set) var value: RecordField
    /// The index of its first child; -1 if it has none.
    public package(set) var firstChild: Int32
    /// The index of the next child of its parent; -1 for the last child.
    public package(set) var nextSibling: Int32

    /// Whether it has no children other than attributes, like a JSON scalar or an element that contains only text.
    public internal(set) var isLeaf: Bool

    /// Whether it is a JSON null, which is treated like a missing value.
    package var isNull: Bool { kind == .scalar && isLeaf && value.kind == .null }

    package init(
        _ kind: Kind, symbol: Int32 = -1, name: RecordField = .missing, value: RecordField = .missing, isLeaf: Bool
    ) {
        self.kind = kind
        self.symbol = symbol
        self.name = name
        self.value = value
        self.isLeaf = isLeaf
        firstChild = -1
        nextSibling = -1
    }
}
