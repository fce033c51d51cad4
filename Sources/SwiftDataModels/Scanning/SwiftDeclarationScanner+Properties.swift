/// Properties: `var name: Type = value { accessors }`.
extension SwiftDeclarationScanner {
    mutating func scanProperties() {
        let keyword = text
        modifiers.insert(keyword)
        advance()
        var declared: [SwiftProperty] = []
        repeat {
            if token.isPunctuation(",") { advance() }
            guard let property = scanProperty() else { break }
            declared.append(property)
        } while token.isPunctuation(",")
        // In `var a, b: Int`, both have the type of the last.
        var type: String?
        for index in declared.indices.reversed() {
            if declared[index].type != nil { type = declared[index].type }
            if declared[index].type == nil, declared[index].initialValue == nil { declared[index].type = type }
        }
        for property in declared where property.isActive != .no { add(property) }
        forgetPrefix()
    }

    private mutating func scanProperty() -> SwiftProperty? {
        let start = token
        var name: String
        if token.isPunctuation("(") {
            let first = token.range.lowerBound
            skipBalanced()
            name = lexer.text(first..<min(token.range.lowerBound, lexer.bytes.count))
                .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        } else if token.kind == .identifier || token.kind == .escapedIdentifier {
            name = text
            advance()
        } else {
            return nil
        }
        var type: String?
        if token.isPunctuation(":") {
            advance()
            type = scanTypeText()
        }
        var value: String?
        if token.isPunctuation("=") {
            advance()
            value = scanExpressionText()
        }
        var isStored = true
        var body: String?
        if token.isPunctuation("{"), value == nil || accessorIsObserver {
            isStored = accessorIsObserver
            let first = token.range.upperBound
            skipBalanced()
            // The text of static properties may be a list of models.
            if modifiers.contains("static") || modifiers.contains("class") || scopes.isEmpty {
                body = cut(first, lastClose)
            }
        }
        return SwiftProperty(
            name: name, type: type, initialValue: value, body: body, isStored: isStored, modifiers: modifiers,
            attributes: attributes, isActive: condition, place: place(of: start))
    }

    /// The maximum length of a text that can be a type or a list of models.
    static let maximumTextSize = 32_768

    private func cut(_ start: Int, _ end: Int) -> String {
        lexer.text(start..<min(max(start, end), start + Self.maximumTextSize))
    }

    /// Whether the brace begins `didSet` or `willSet`, with which a property is still stored.
    private var accessorIsObserver: Bool {
        var ahead = lexer
        var next = ahead.next()
        while next.isPunctuation("@") {
            _ = ahead.next()
            next = ahead.next()
        }
        return next.kind == .identifier && ["didSet", "willSet"].contains(lexer.text(next.range))
    }

    /// Returns the text of a type, up to what cannot be part of one.
    mutating func scanTypeText(endsAtWhere: Bool = false) -> String {
        let start = token.range.lowerBound
        var end = start
        var angles = 0
        var last: SwiftToken?
        while token.kind != .end, token.kind != .close {
            if angles <= 0 {
                if token.isPunctuation(",") || token.isPunctuation(";") || token.isPunctuation("{")
                    || token.isPunctuation("=")
                {
                    break
                }
                if endsAtWhere, token.kind == .identifier, text == "where" { break }
                if token.isFirstOfLine, let last, !continuesType(last) { break }
            }
            if token.kind == .macro || token.isPunctuation("{") { break }
            if token.isPunctuation("<") { angles += 1 }
            if token.isPunctuation(">") { angles -= 1 }
            last = token
            if token.kind == .open {
                skipBalanced()
                end = min(lastClose + 1, lexer.bytes.count)
            } else {
                end = token.range.upperBound
                advance()
            }
        }
        return cut(start, end)
    }

    private func continuesType(_ last: SwiftToken) -> Bool {
        last.kind == .arrow || token.kind == .arrow || last.isPunctuation(".") || last.isPunctuation("&")
            || last.isPunctuation(":") || token.isPunctuation(".") || token.isPunctuation("&")
    }

    /// Returns the text of an expression, up to the end of the declaration, its observers, or the next name.
    mutating func scanExpressionText() -> String {
        let start = token.range.lowerBound
        var end = start
        var last: SwiftToken?
        while token.kind != .end, token.kind != .close {
            if token.isPunctuation(",") || token.isPunctuation(";") || token.isPunctuation("@") { break }
            if token.isFirstOfLine, let last, !continuesExpression(after: last) { break }
            if token.isPunctuation("{"), last != nil, accessorIsObserver { break }
            if token.kind == .macro, text == "#if" || text == "#endif" || text == "#else" || text == "#elseif" { break }
            let opensAngles = last.map { ($0.kind == .identifier) } ?? false
            if token.isPunctuation("<"), opensAngles, !token.followsSpace, let after = endOfTypeArguments() {
                end = after.end
                last = after.last
                continue
            }
            last = token
            if token.kind == .open {
                skipBalanced()
                end = min(lastClose + 1, lexer.bytes.count)
            } else {
                end = token.range.upperBound
                advance()
            }
        }
        return cut(start, end)
    }

    private func continuesExpression(after last: SwiftToken) -> Bool {
        if token.kind == .operator || last.isPunctuation(":") { return true }
        if last.kind == .operator {
            // A question or exclamation mark and an angle bracket may end an expression.
            return !(last.isPunctuation("?") || last.isPunctuation("!") || last.isPunctuation(">"))
        }
        guard token.kind == .identifier || last.kind == .identifier else { return last.kind == .arrow }
        if token.kind == .identifier, ["as", "is", "else"].contains(lexer.text(token.range)) { return true }
        return last.kind == .identifier
            && ["try", "await", "as", "is", "in", "if", "switch", "return"].contains(lexer.text(last.range))
    }

    /// Skips type arguments, as in `Set<String>()`; returns nil, without moving, if the bracket is a comparison.
    private mutating func endOfTypeArguments() -> (end: Int, last: SwiftToken)? {
        let start = (lexer, token)
        var depth = 0
        for _ in 0..<256 {
            switch token.kind {
            case .identifier, .escapedIdentifier, .arrow: break
            case .open where !token.isPunctuation("{"), .close where !token.isPunctuation("}"): break
            case .operator, .punctuation:
                guard "<>.?!&,:@".unicodeScalars.contains(Unicode.Scalar(token.first)) else {
                    (lexer, token) = start
                    return nil
                }
                if token.isPunctuation("<") { depth += 1 }
                if token.isPunctuation(">") { depth -= 1 }
            default:
                (lexer, token) = start
                return nil
            }
            let last = token
            // Not `advance`, which records calls, since this may be read again.
            token = lexer.next()
            if depth == 0 { return (last.range.upperBound, last) }
        }
        (lexer, token) = start
        return nil
    }
}
