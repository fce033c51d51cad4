import RecordSources

/// Texts of data in comments: short, on one line, and without control characters.
enum CommentText {
    private static let largestLength = 40

    static func quoted(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars.prefix(largestLength) {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
                shown += "\u{FFFD}"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        let isCut = text.unicodeScalars.dropFirst(largestLength).first != nil
        return "\"\(shown)\(isCut ? "…" : "")\""
    }

    static func examples(_ values: SampledValues) -> String {
        values.examples(3).map(quoted).joined(separator: ", ")
    }
}
