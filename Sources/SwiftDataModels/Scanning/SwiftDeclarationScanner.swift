/// Collects the declarations of a Swift file that are relevant for models; bodies of functions are skipped.
///
/// There are no errors: everything that is not a declaration is skipped. The depth of nesting is not limited, since
/// enclosing types are kept in a list.
struct SwiftDeclarationScanner {
    private(set) var result = SwiftFileDeclarations()

    var lexer: SwiftLexer
    var token: SwiftToken
    let file: Int
    let defined: [String: Bool]

    /// The enclosing types: their indexes in the result, nil for one that is not included.
    var scopes: [Int?] = []
    /// The enclosing conditions: that of the branch, and whether an earlier branch was taken.
    private var conditions: [(branch: SwiftCondition, before: SwiftCondition)] = []
    var attributes: [SwiftAttribute] = []
    /// The condition under which the attributes exist.
    private var attributeCondition = SwiftCondition.yes
    var modifiers: Set<String> = []
    private var isInPreview = false
    /// The offset of the closing bracket that was skipped last.
    var lastClose = 0
    /// The end of the last recorded call; calls inside it are part of it.
    private var noted = 0

    /// - Parameters:
    ///   - file: the number of the file, for locations.
    ///   - defined: whether names are defined.
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

    /// Clears attributes and modifiers after their declaration has been read.
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

    /// The names of the enclosing types.
    var path: [String] { scopes.last.flatMap { $0.map { result.types[$0].path } } ?? [] }

    private var branchCondition: SwiftCondition { conditions.reduce(.yes) { $0.and($1.branch) } }

    /// The condition of the declaration that begins here: that of its position, and that of its attributes, which may
    /// be inside `#if` themselves.
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

    /// Skips to after the bracket that closes the current one.
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

    /// Scans `@Name(arguments)`.
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
        // After a space, parentheses belong to a tuple, except for the macros that are known here.
        let takesArguments =
            !token.followsSpace || (["Attribute", "Relationship", "available"].contains(name) && !token.isFirstOfLine)
        let arguments = token.isPunctuation("(") && takesArguments ? scanArguments() : ""
        guard branchCondition != .no else { return }
        attributes.append(SwiftAttribute(name: name, arguments: arguments, place: place(of: start)))
        attributeCondition = condition
    }

    /// Returns the text between the parentheses that begin here, and skips them.
    mutating func scanArguments() -> String {
        let start = token.range.upperBound
        skipBalanced()
        return lexer.text(start..<max(start, lastClose))
    }

    /// Skips to after the angle bracket that closes the current one.
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

    /// Returns the condition in the rest of the line.
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

    /// The maximum size of a call's arguments in bytes; longer ones are not lists of models.
    private static let maximumCallSize = 65_536

    /// Records the call that may begin with the current name.
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
