import Synchronization

/// The prepared right side of LIKE or MATCHES.
struct TextPattern: Sendable {
    private enum Content: Sendable {
        case like(LikePattern)
        case regular(RegularExpression)
    }

    private let content: Content
    private let options: ComparisonOptions

    init(_ pattern: String, isRegular: Bool, options: ComparisonOptions) throws(EvaluationFault) {
        let isFolding = TextComparison.isFolding(options)
        self.options = isFolding ? options : []
        if isRegular {
            // Case is ignored by the engine: in lower case, \S would become \s.
            let text = TextFolding.folded(pattern, self.options.subtracting(.caseInsensitive))
            content = .regular(try RegularExpression(text, self.options))
        } else {
            content = .like(LikePattern(TextFolding.folded(pattern, self.options)))
        }
    }

    func matches(_ text: String) throws(EvaluationFault) -> Bool {
        switch content {
        case .like(let pattern): return pattern.matches(TextFolding.folded(text, options))
        case .regular(let pattern):
            return try pattern.matches(TextFolding.folded(text, options.subtracting(.caseInsensitive)))
        }
    }

    // MARK: Patterns that rows bring along

    private struct Key: Hashable {
        let pattern: [UInt8]
        let isRegular: Bool
        let options: Int
    }

    /// The size of the cache: enough for the recurring patterns of one batch; when it is full, it is cleared.
    private static let cacheLimit = 64
    private static let cache = Mutex<[Key: TextPattern]>([:])

    /// Returns a prepared pattern for a text that is not constant, from the cache if possible.
    static func cached(
        _ pattern: String, isRegular: Bool, options: ComparisonOptions
    ) throws(EvaluationFault) -> TextPattern {
        let key = Key(pattern: Array(pattern.utf8), isRegular: isRegular, options: options.rawValue)
        if let known = cache.withLock({ $0[key] }) { return known }
        let made = try TextPattern(pattern, isRegular: isRegular, options: options)
        cache.withLock { cache in
            if cache.count >= cacheLimit { cache.removeAll() }
            cache[key] = made
        }
        return made
    }
}
