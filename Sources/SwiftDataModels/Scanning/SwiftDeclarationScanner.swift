/// Collects the declarations of a Swift file that models are made of; bodies of functions are skipped.
///
/// Nothing is refused: what is not a declaration is skipped. The depth of nesting is not limited, as the types around a
/// declaration are a list.
struct SwiftDeclarationScanner {
    private(set) var result = SwiftFileDeclarations()

    var lexer: SwiftLexer
    var token: SwiftToken
    let file: Int
    let defined: [String: Bool]

    /// The types around the present place: their places in the result, nil for one that is not taken.
    var scopes: [Int?] = []
    /// The conditions around the present place: that of the branch, and whether an earlier branch was taken.
    private var conditions: [(branch: SwiftCondition, before: SwiftCondition)] = []
    var attributes: [SwiftAttribute] = []
    /// The condition under which the attributes are there.
    private var attributeCondition = SwiftCondition.yes
    var modifiers: Set<String> = []
    private var isInPreview = false
    /// Where the closing bracket is that was skipped last.
    var lastClose = 0
    /// Where the last noted call ends: calls in it are part of it.
    private var noted = 0

    /// - Parameters:
    ///   - file: the number of the file, for places.
    ///   - defined: names that the build defines, or does not.
    init(_ bytes: [UInt8], file: Int = 0, defined: [String: Bool] = [:]) {
        lexer = SwiftLexer(bytes)
        token = lexer.next()
        self.file = file
        self.defined = defined
    }

    static func declarations(
        in bytes: [UInt8], file: Int = 0, defined: [String: Bool] = [:]
    ) -> SwiftFileDeclarations {
        var scanner = SwiftDeclarationScanner(bytes, file: file, defined: defined)
        scanner.scan()
        return scanner.result
    }

    private mutating func scan() {
        while token.kind != .end {
            switch token.kind {
            case .macro: scanMacro()
            case .identifier: scanWord()
            case .close:
                if token.isPunctuation("}"), !scopes.isEmpty { scopes.removeLast() }
                advance()
                forgetPrefix()
            case .open:
                skipBalanced()
                forgetPrefix()
            case .punctuation where token.isPunctuation("@"): scanAttribute()
            default:
                advance()
                forgetPrefix()
            }
        }
    }

    /// Forgets attributes and modifiers, once the declaration is read that they belong to.
    mutating func forgetPrefix() {
        attributes.removeAll()
        attributeCondition = .yes
        modifiers.removeAll()
    }

    mutating func advance() {
        if token.kind == .identifier { noteCall() }
        token = lexer.next()
    }

    var text: String { lexer.text(token.range) }

    func place(of token: SwiftToken) -> SwiftPlace {
        let before = lexer.bytes[min(token.lineStart, token.range.lowerBound)..<token.range.lowerBound]
        return SwiftPlace(file: file, line: token.line, column: before.count { $0 & 0xC0 != 0x80 } + 1)
    }

    /// The names of the types around the present place.
    var path: [String] { scopes.last.flatMap { $0.map { result.types[$0].path } } ?? [] }

    private var branchCondition: SwiftCondition { conditions.reduce(.yes) { $0.and($1.branch) } }

    /// The condition of the declaration that begins here: that of the place, and that of its attributes, which may stand
    /// between `#if` and `#endif` themselves.
    var condition: SwiftCondition { branchCondition.and(attributeCondition) }

    mutating func add(_ type: SwiftTypeDeclaration) {
        scopes.append(result.types.count)
        result.types.append(type)
    }

    mutating func add(_ alias: SwiftTypeAlias) { result.aliases.append(alias) }

    mutating func add(_ property: SwiftProperty) {
        guard let scope = scopes.last else { return result.globals.append(property) }
        if let scope { result.types[scope].properties.append(property) }
    }

    mutating func add(_ enumCase: SwiftEnumCase) {
        if let scope = scopes.last, let scope { result.types[scope].cases.append(enumCase) }
    }

    mutating func noteCustomCoding() {
        if let scope = scopes.last, let scope { result.types[scope].hasCustomCoding = true }
    }

    // MARK: Skipping

    /// Moves behind the bracket that closes the one that is here.
    mutating func skipBalanced() {
        var depth = 0
        while token.kind != .end {
            if token.kind == .open { depth += 1 }
            if token.kind == .close { depth -= 1 }
            lastClose = token.range.lowerBound
            advance()
            if depth <= 0 { return }
        }
        lastClose = lexer.bytes.count
    }

    // MARK: Attributes, macros and conditions

    /// `@Name(arguments)`
    private mutating func scanAttribute() {
        let start = token
        advance()
        guard token.kind == .identifier || token.kind == .escapedIdentifier else { return }
        var name = text
        advance()
        while token.isPunctuation("."), !token.followsSpace {
            advance()
            guard token.kind == .identifier else { break }
            name += "." + text
            advance()
        }
        if token.isPunctuation("<"), !token.followsSpace { skipAngles() }
        // Behind a blank, parentheses are those of a tuple, but for the macros that are known here.
        let takesArguments =
            !token.followsSpace || (["Attribute", "Relationship", "available"].contains(name) && !token.isFirstOfLine)
        let arguments = token.isPunctuation("(") && takesArguments ? scanArguments() : ""
        guard branchCondition != .no else { return }
        attributes.append(SwiftAttribute(name: name, arguments: arguments, place: place(of: start)))
        attributeCondition = condition
    }

    /// The text between the parentheses that begin here; moves behind them.
    mutating func scanArguments() -> String {
        let start = token.range.upperBound
        skipBalanced()
        return lexer.text(start..<max(start, lastClose))
    }

    /// Moves behind the angle bracket that closes the one that is here.
    mutating func skipAngles() {
        var depth = 0
        while token.kind != .end, token.kind != .close, !token.isPunctuation("{"), !token.isPunctuation(";") {
            if token.isPunctuation("<") { depth += 1 }
            if token.isPunctuation(">") { depth -= 1 }
            if token.kind == .open { skipBalanced() } else { advance() }
            if depth <= 0 { return }
        }
    }

    private mutating func scanMacro() {
        let start = token
        switch text {
        case "#if":
            let condition = scanCondition()
            conditions.append((condition, condition))
        case "#elseif":
            let condition = scanCondition()
            guard let last = conditions.popLast() else { return }
            conditions.append(
                (last.before.negated.and(condition), last.before.negated.and(condition.negated).negated))
        case "#else":
            advance()
            guard let last = conditions.popLast() else { return }
            conditions.append((last.before.negated, .yes))
        case "#endif":
            advance()
            _ = conditions.popLast()
        default:
            let name = String(text.dropFirst())
            advance()
            if token.isPunctuation("<"), !token.followsSpace { skipAngles() }
            let arguments = token.isPunctuation("(") && !token.isFirstOfLine ? scanArguments() : ""
            if token.isPunctuation("{"), !token.isFirstOfLine {
                isInPreview = name == "Preview"
                skipBalanced()
                isInPreview = false
            }
            if let scope = scopes.last, let scope, condition != .no {
                result.types[scope].macros.append(
                    SwiftAttribute(name: name, arguments: arguments, place: place(of: start)))
            }
            forgetPrefix()
        }
    }

    /// The condition in the rest of the line.
    private mutating func scanCondition() -> SwiftCondition {
        advance()
        var tokens: [SwiftToken] = []
        while token.kind != .end, !token.isFirstOfLine {
            tokens.append(token)
            advance()
        }
        var parser = SwiftConditionParser(tokens, of: lexer, defined: defined)
        return parser.condition()
    }

    // MARK: Calls that name models

    private static let functions: [[UInt8]] = ["Schema", "ModelContainer", "modelContainer"].map { Array($0.utf8) }

    /// The arguments of one call have at most this many bytes; longer ones are not lists of models.
    private static let maximumCallSize = 65_536

    /// Notes the call that the present name may be the beginning of.
    private mutating func noteCall() {
        let count = token.range.count
        guard count == 6 || count == 14, lexer.byte(at: token.range.upperBound) == UInt8(ascii: "("),
            token.range.lowerBound >= noted,
            Self.functions.contains(where: { $0.elementsEqual(lexer.bytes[token.range]) })
        else { return }
        var ahead = lexer
        var next = ahead.next()
        let start = next.range.upperBound
        var end = start
        var depth = 0
        while next.kind != .end, next.range.upperBound - start < Self.maximumCallSize {
            if next.kind == .open { depth += 1 }
            if next.kind == .close { depth -= 1 }
            end = next.range.lowerBound
            if depth <= 0 { break }
            next = ahead.next()
        }
        noted = max(end, start)
        result.calls.append(
            SwiftSchemaCall(
                function: text, arguments: lexer.text(start..<max(start, end)), scope: path,
                isPreview: isInPreview, place: place(of: token)))
    }
}
