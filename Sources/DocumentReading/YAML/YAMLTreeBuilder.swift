/// Builds a tree from the events of a YAML document.
struct YAMLTreeBuilder: ~Copyable {
    /// A node with the values that are compared with the limits: its total number of nodes, and their depth.
    private struct Built {
        let node: YAMLNode
        let count: Int
        let height: Int
    }

    /// A sequence or mapping that is not complete yet.
    private struct Open {
        let isMapping: Bool
        let anchor: String?
        let tag: String?
        let location: SourceLocation
        var nodes: [YAMLNode] = []
        var entries: [YAMLEntry] = []
        var keys: Set<String> = []
        var pendingKey: (text: String, location: SourceLocation)?
        var count = 1
        var height = 0
    }

    private var parser: YAMLEventParser
    private let source: SourceText
    private let limits: YAMLReadingLimits
    private var open: [Open] = []
    private var anchors: [String: Built] = [:]
    private var root: YAMLNode?
    private var nodeCount = 0

    init(parser: consuming YAMLEventParser, source: SourceText, limits: YAMLReadingLimits) {
        self.parser = parser
        self.source = source
        self.limits = limits
    }

    mutating func build() throws(DocumentError) -> YAMLNode {
        while true {
            let (event, location) = try next()
            switch event {
            case .documentStart:
                guard root == nil else { throw error(.severalDocuments, at: location) }
            case .streamEnd:
                guard let root else { throw error(.empty, at: location) }
                return root
            case .alias(let name):
                guard let target = anchors[name] else { throw error(.unknownAlias, name, at: location) }
                try add(target, at: location)
            case .scalar(let text, let style, let anchor, let tag):
                let node = YAMLNode(content: .scalar(text, style: style), tag: tag, location: location)
                try complete(Built(node: node, count: 1, height: 0), anchor: anchor, at: location)
            case .sequenceStart(let anchor, let tag):
                try begin(Open(isMapping: false, anchor: anchor, tag: tag, location: location))
            case .mappingStart(let anchor, let tag):
                try begin(Open(isMapping: true, anchor: anchor, tag: tag, location: location))
            case .end:
                guard let ended = open.popLast() else { continue }
                let node = YAMLNode(
                    content: ended.isMapping ? .mapping(ended.entries) : .sequence(ended.nodes), tag: ended.tag,
                    location: ended.location)
                // Its members, and the node itself, have already been counted.
                nodeCount -= ended.count
                try complete(
                    Built(node: node, count: ended.count, height: ended.height), anchor: ended.anchor,
                    at: ended.location)
            case .documentEnd, .other:
                continue
            }
        }
    }

    private mutating func next() throws(DocumentError) -> (YAMLEvent, SourceLocation) {
        do {
            let (event, line, column) = try parser.next()
            return (event, SourceLocation(file: source.name, line: line, column: column))
        } catch {
            let location = SourceLocation(file: source.name, line: error.line, column: error.column)
            throw self.error(error.code, error.detail, at: location)
        }
    }

    private mutating func begin(_ node: Open) throws(DocumentError) {
        if let parent = open.last, parent.isMapping, parent.pendingKey == nil {
            throw error(.unsupportedKey, at: node.location)
        }
        guard open.count < limits.maximumDepth else {
            throw error(.tooDeep, "\(limits.maximumDepth)", at: node.location)
        }
        nodeCount += 1
        open.append(node)
    }

    private mutating func complete(_ built: Built, anchor: String?, at location: SourceLocation) throws(DocumentError) {
        if let anchor { anchors[anchor] = built }
        try add(built, at: location)
    }

    /// Adds a node to the innermost open one, or as the root.
    private mutating func add(_ built: Built, at location: SourceLocation) throws(DocumentError) {
        nodeCount += built.count
        guard nodeCount <= limits.maximumNodeCount else {
            throw error(.tooLarge, "the document has more than \(limits.maximumNodeCount) nodes", at: location)
        }
        guard open.count + built.height <= limits.maximumDepth else {
            throw error(.tooDeep, "\(limits.maximumDepth)", at: location)
        }
        guard let parent = open.indices.last else {
            root = built.node
            return
        }
        open[parent].count += built.count
        open[parent].height = max(open[parent].height, built.height + 1)
        guard open[parent].isMapping else {
            open[parent].nodes.append(built.node)
            return
        }
        if let key = open[parent].pendingKey {
            open[parent].pendingKey = nil
            open[parent].entries.append(YAMLEntry(key: key.text, keyLocation: key.location, value: built.node))
            return
        }
        guard let text = built.node.text else { throw error(.unsupportedKey, at: location) }
        guard open[parent].keys.insert(text).inserted else { throw error(.duplicateKey, text, at: location) }
        open[parent].pendingKey = (text, location)
    }

    private func error(
        _ code: DocumentError.Code, _ detail: String = "", at location: SourceLocation
    ) -> DocumentError {
        DocumentError(code, detail, at: location, excerpt: source.excerpt(at: location))
    }
}
