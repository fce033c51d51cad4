/// A pattern of LIKE: `?` matches one character, `*` any number of them, and a backslash escapes the next character.
///
/// A character is a Unicode scalar. Matching takes time proportional to at most the product of both lengths.
struct LikePattern: Hashable, Sendable {
    private enum Element: Hashable {
        case scalar(Unicode.Scalar)
        case anyOne
        case anyNumber
    }

    private let elements: [Element]

    init(_ pattern: String) {
        var elements: [Element] = []
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            switch scalar {
            case _ where isEscaped:
                elements.append(.scalar(scalar))
                isEscaped = false
            case "\\": isEscaped = true
            case "?": elements.append(.anyOne)
            case "*": if elements.last != .anyNumber { elements.append(.anyNumber) }
            default: elements.append(.scalar(scalar))
            }
        }
        if isEscaped { elements.append(.scalar("\\")) }
        self.elements = elements
    }

    /// Returns whether the whole text matches the pattern.
    ///
    /// After a `*`, the rest is tried at increasing positions; backtracking is only needed for the last `*`.
    func matches(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        var position = scalars.startIndex
        var number = 0
        var retry: (number: Int, position: String.Index)?
        while position < scalars.endIndex {
            if number < elements.count, elements[number] == .anyNumber {
                retry = (number, position)
                number += 1
                continue
            }
            if number < elements.count, elements[number] == .anyOne || elements[number] == .scalar(scalars[position]) {
                number += 1
                scalars.formIndex(after: &position)
                continue
            }
            guard let last = retry else { return false }
            position = scalars.index(after: last.position)
            retry = (last.number, position)
            number = last.number + 1
        }
        return elements[number...].allSatisfy { $0 == .anyNumber }
    }
}
