/// The colors of a diagram. Boxes have their own background; lines have enough contrast on white and on black.
enum DiagramPalette {
    struct Colours {
        let title: String
        let titleText: String
        let border: String
        let line: String
        let row: String
    }

    static let text = "#1f2328"
    static let detail = "#57606a"
    static let body = "#ffffff"

    static func colours(_ change: DiagramChange, isComparison: Bool) -> Colours {
        switch change {
        case .unchanged where isComparison:
            Colours(title: "#d8dee4", titleText: text, border: "#8c959f", line: "#8c959f", row: body)
        case .unchanged:
            Colours(title: "#3b5b8c", titleText: "#ffffff", border: "#3b5b8c", line: "#7a8694", row: body)
        case .added: Colours(title: "#1a7f37", titleText: "#ffffff", border: "#1a7f37", line: "#2da44e", row: "#dafbe1")
        case .removed:
            Colours(title: "#b42318", titleText: "#ffffff", border: "#b42318", line: "#e5534b", row: "#ffe2df")
        case .renamed:
            Colours(title: "#0b5cad", titleText: "#ffffff", border: "#0b5cad", line: "#3b8eea", row: "#ddf1ff")
        case .changed:
            Colours(title: "#8a5a00", titleText: "#ffffff", border: "#8a5a00", line: "#bf8700", row: "#fff3c4")
        }
    }
}
