import TextEncodings

/// The keys of values themselves, like those of their Foundation classes: `url.absoluteString`, `name.length`.
enum ValueKey: String {
    case absoluteString
    case boolValue
    case capitalizedString
    case count
    case description
    case doubleValue
    case floatValue
    case intValue
    case integerValue
    case lastPathComponent
    case length
    case longLongValue
    case lowercaseString
    case path
    case pathExtension
    case selfKey = "self"
    case stringByDeletingLastPathComponent
    case stringByDeletingPathExtension
    case stringValue
    case timeIntervalSince1970
    case timeIntervalSinceReferenceDate
    case uppercaseString
    case uuidString = "UUIDString"

    /// Returns the key's value; nil if values of this type do not have it.
    func value(of value: ExpressionValue) throws(EvaluationFault) -> ExpressionValue? {
        switch (self, value) {
        case (.selfKey, _): return value
        case (.absoluteString, .url), (.absoluteString, .string), (.stringValue, .string), (.uuidString, .uuid),
            (.stringValue, .integer), (.stringValue, .real), (.stringValue, .decimal), (.stringValue, .boolean),
            (.description, .string), (.description, .integer), (.description, .real), (.description, .decimal),
            (.description, .boolean), (.description, .url), (.description, .uuid), (.description, .date):
            return try CastTarget.string.convert(value)
        case (.path, .url(let text)): return .string(Self.path(of: text))
        case (.lastPathComponent, .string(let text)): return .string(PathText(text).lastComponent)
        case (.lastPathComponent, .url(let text)): return .string(PathText(Self.path(of: text)).lastComponent)
        case (.pathExtension, .string(let text)): return .string(PathText(text).pathExtension)
        case (.pathExtension, .url(let text)): return .string(PathText(Self.path(of: text)).pathExtension)
        case (.stringByDeletingLastPathComponent, .string(let text)):
            return .string(PathText(text).withoutLastComponent)
        case (.stringByDeletingPathExtension, .string(let text)): return .string(PathText(text).withoutExtension)
        case (.length, .string(let text)): return .integer(Int64(text.utf16.count))
        case (.length, .data(let bytes)): return .integer(Int64(bytes.count))
        case (.uppercaseString, .string(let text)): return .string(text.uppercased())
        case (.lowercaseString, .string(let text)): return .string(text.lowercased())
        case (.capitalizedString, .string(let text)): return .string(TextFunction.capitalized(text))
        case (.timeIntervalSinceReferenceDate, .date(let seconds)): return .real(seconds)
        // 978307200 seconds lie between 1970 and 2001.
        case (.timeIntervalSince1970, .date(let seconds)): return .real(seconds + 978_307_200)
        case (.boolValue, .string(let text)): return .boolean(NumberText.leadingTruth(text))
        case (.boolValue, _): return number(of: value).map { .boolean(!$0.isZero) }
        case (.doubleValue, _), (.floatValue, _): return number(of: value).map { .real($0.real) }
        case (.intValue, .string(let text)):
            return .integer(min(max(NumberText.leadingInteger(text), Int64(Int32.min)), Int64(Int32.max)))
        case (.integerValue, .string(let text)), (.longLongValue, .string(let text)):
            return .integer(NumberText.leadingInteger(text))
        case (.intValue, _), (.integerValue, _), (.longLongValue, _): return number(of: value).map(Self.truncated)
        default: return nil
        }
    }

    /// Returns a number, or the one at the beginning of a text, as Foundation parses it: 0 if there is none.
    private func number(of value: ExpressionValue) -> NumberValue? {
        if case .string(let text) = value { return NumberValue(NumberText.leading(text)) }
        return NumberValue(value)
    }

    /// Returns the integer part, clamped to 64 bits.
    private static func truncated(_ number: NumberValue) -> ExpressionValue {
        if case .integer(let integer) = number { return .integer(integer) }
        let real = number.real
        guard real > -0x1p63 else { return .integer(real.isNaN ? 0 : .min) }
        return .integer(real < 0x1p63 ? Int64(real) : .max)
    }

    /// Returns the path: the part between the authority and `?` or `#`, percent-decoded, without a trailing slash.
    private static func path(of url: String) -> String {
        var rest = url[...]
        if let scheme = rest.firstRange(of: "://") {
            rest = rest[scheme.upperBound...]
            guard let slash = rest.firstIndex(of: "/") else { return "" }
            rest = rest[slash...]
        }
        let path = decoded(rest.prefix { $0 != "?" && $0 != "#" })
        return path.utf8.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Returns the percent-decoded text; the unchanged text if the result is not valid.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let code = Hexadecimal.decode(rest.prefix(2)), !code.isEmpty {
                bytes += code
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self) ?? String(text)
    }
}
