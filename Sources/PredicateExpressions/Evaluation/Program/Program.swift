/// An expression with its names resolved: nodes that refer to each other by number, which no row makes or frees.
final class Program: Sendable {
    let nodes: [ProgramNode]
    /// The numbers of nodes that belong to one with many operands.
    let lists: [Int]
    let constants: [ExpressionValue]
    let patterns: [TextPattern]
    /// The objects that constant texts name.
    let objects: [String: Result<ObjectReference, EvaluationFault>]
    let root: Int
    let localCount: Int
    let limits: EvaluationLimits
    /// What each node was made from, for errors.
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

    /// The error with its place. Of equal parts the first is shown.
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
