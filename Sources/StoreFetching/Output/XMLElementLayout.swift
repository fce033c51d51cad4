/// An element of a record, with the columns whose values it contains, derived from their paths.
struct XMLElementLayout {
    /// The content of an element.
    enum Child {
        /// An element that is written if it has content.
        case element(XMLElementLayout)
        /// An element for each value of a list.
        case list(column: Int, name: String)
        /// Elements with the same name whose position matters: empty ones are written for those without content.
        case items([XMLElementLayout])
    }

    let name: String
    /// The start of the tag, `<name`.
    let beginning: [UInt8]
    /// The end tag, `</name>`.
    let end: [UInt8]
    private(set) var attributes: [(name: String, beginning: [UInt8], column: Int)] = []
    /// The column of its text.
    private(set) var text: Int?
    private(set) var children: [Child] = []

    private init(_ name: String) {
        self.name = name
        (beginning, end) = (Array("<\(name)".utf8), Array("</\(name)>".utf8))
    }

    /// - Parameters:
    ///   - paths: the steps of each column from the element on; `@name` only at the end.
    ///   - lists: the columns with several values.
    init(_ name: String, paths: [[RecordStep]], lists: Set<Int>) {
        self.init(name)
        for (column, path) in paths.enumerated() { add(column, path[...], isList: lists.contains(column)) }
    }

    private mutating func add(_ column: Int, _ path: ArraySlice<RecordStep>, isList: Bool) {
        let rest = path.dropFirst()
        guard case .name(let name)? = path.first, name != "." else { return text = column }
        if rest.isEmpty, name.hasPrefix("@") {
            return attributes.append((String(name.dropFirst()), Array(" \(name.dropFirst())=\"".utf8), column))
        }
        if rest.isEmpty, isList { return children.append(.list(column: column, name: name)) }
        if case .item(let place)? = rest.first {
            add(column, item: place, of: name, rest.dropFirst(), isList: isList)
        } else {
            add(column, elementIn: name, rest, isList: isList)
        }
    }

    private mutating func add(_ column: Int, elementIn name: String, _ rest: ArraySlice<RecordStep>, isList: Bool) {
        for index in children.indices {
            guard case .element(var element) = children[index], element.name == name else { continue }
            element.add(column, rest, isList: isList)
            children[index] = .element(element)
            return
        }
        var element = XMLElementLayout(name)
        element.add(column, rest, isList: isList)
        children.append(.element(element))
    }

    private mutating func add(
        _ column: Int, item place: Int, of name: String, _ rest: ArraySlice<RecordStep>, isList: Bool
    ) {
        let known = children.firstIndex { if case .items(let items) = $0 { items[0].name == name } else { false } }
        var items: [XMLElementLayout] = []
        if let known, case .items(let found) = children[known] { items = found }
        while items.count <= place { items.append(XMLElementLayout(name)) }
        items[place].add(column, rest, isList: isList)
        if let known { children[known] = .items(items) } else { children.append(.items(items)) }
    }

    /// Whether it can contain only text.
    var isLeaf: Bool { attributes.isEmpty && children.isEmpty }

    /// The names of all elements and attributes, beginning with its own.
    var names: [String] {
        [name] + attributes.map(\.name)
            + children.flatMap { child in
                switch child {
                case .element(let element): element.names
                case .list(_, let name): [name]
                case .items(let items): items.flatMap(\.names)
                }
            }
    }
}
