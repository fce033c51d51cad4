/// One value in the tree of a nested record: a JSON value, an XML element or attribute.
///
/// The nodes of a batch lie in one array; a node knows its first child and its next sibling by index.
public struct RecordNode: Equatable, Sendable {
    /// What a node is.
    public enum Kind: UInt8, Equatable, Sendable {
        /// A value without children: `value` holds it.
        case scalar
        /// A JSON object or an XML element: its children have names.
        case object
        /// A JSON array: its children have no names.
        case array
        /// An XML attribute: `value` holds its text.
        case attribute
    }

    /// What the node is.
    public internal(set) var kind: Kind
    /// The number of its name among those that paths ask for; -1 for a name that none asks for, and in arrays.
    public internal(set) var symbol: Int32
    /// The bytes of its name; of length 0 in arrays.
    public internal(set) var name: RecordField
    /// Its value; for an XML element the text directly inside it.
    public internal(set) var value: RecordField
    /// The index of its first child, -1 where it has none.
    public package(set) var firstChild: Int32
    /// The index of the next child of its parent, -1 for the last.
    public package(set) var nextSibling: Int32

    /// Whether it has no parts, attributes aside: a JSON scalar, an element with nothing but text in it.
    public internal(set) var isLeaf: Bool

    /// Whether it is a JSON null, which stands for nothing being there.
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
