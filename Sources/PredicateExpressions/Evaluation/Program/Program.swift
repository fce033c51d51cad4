/// An expression with resolved names: its nodes refer to each other by number, and are neither allocated nor freed per
/// row.
final class Program: Sendable {
    let nodes: [ProgramNode]
    /// The numbers of the operands of nodes with many of them.
    let lists: [Int]
    let constants: [ExpressionValue]
    let patterns: [TextPattern]
    /// The objects with IDs in constant texts.
    let objects: [String: Result<ObjectReference, EvaluationFault>]
    let root: Int
    let localCount: Int
    let limits: EvaluationLimits
    /// The source of each node, for errors.
    let sources: [FormatNode]
    let source: FormatNode

    init(_ builder: ExpressionProgramBuilder, root: Int, source: FormatNode, limits: EvaluationLimits) {
        self.limits = limits
        nodes = builder.nodes
        lists = builder.lists
        constants = builder.constants
        patterns = builder.patterns
        objects = builder.objects
        sources = builder.sources
        localCount = builder.localCount
        self.root = root
        self.source = source
    }

    /// Returns the error with its location. If several parts are equal, the first one is used.
    func error(_ fault: EvaluationFault, at node: Int) -> EvaluationError {
        EvaluationError(fault, at: node < sources.count ? sources[node] : source, in: source)
    }
}

extension EvaluationError {
    init(_ fault: EvaluationFault, at part: FormatNode, in whole: FormatNode) {
        var printer = FormatPrinter()
        printer.wanted = part
        printer.print(whole)
        self.init(
            code: fault.code, expression: printer.output, part: part.format, offset: printer.wantedOffset ?? 0,
            detail: fault.detail)
    }
}
