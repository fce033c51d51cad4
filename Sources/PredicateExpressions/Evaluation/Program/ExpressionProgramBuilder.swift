/// Collects the nodes of a program.
struct ExpressionProgramBuilder {
    private(set) var nodes: [ProgramNode] = []
    private(set) var sources: [FormatNode] = []
    private(set) var lists: [Int] = []
    private(set) var constants: [ExpressionValue] = []
    private(set) var patterns: [TextPattern] = []
    private(set) var localCount = 0
    /// The objects with IDs in constant texts.
    var objects: [String: Result<ObjectReference, EvaluationFault>] = [:]

    mutating func add(_ node: ProgramNode, from source: FormatNode) -> Int {
        nodes.append(node)
        sources.append(source)
        return nodes.count - 1
    }

    mutating func add(list: [Int]) -> Range<Int> {
        lists += list
        return lists.count - list.count..<lists.count
    }

    mutating func add(constant value: ExpressionValue) -> Int {
        constants.append(value)
        return constants.count - 1
    }

    mutating func add(pattern: TextPattern) -> Int {
        patterns.append(pattern)
        return patterns.count - 1
    }

    mutating func addLocal() -> Int {
        localCount += 1
        return localCount - 1
    }
}
