import StoreFetching

/// An error of a fetch, with the text of the option that has the wrong key path, and a caret under it.
struct MarkedFetchError: Error, CustomStringConvertible {
    let error: FetchError
    private let marked: String?

    init(_ error: FetchError, texts: [String]) {
        self.error = error
        guard let path = error.keyPath else {
            marked = nil
            return
        }
        let place = texts.lazy.compactMap { text in text.firstRange(of: path).map { (text, $0) } }.first
        marked = place.map { text, range in
            let indent = text.distance(from: text.startIndex, to: range.lowerBound)
            return "\n  \(text)\n  " + String(repeating: " ", count: indent) + "^"
        }
    }

    var description: String { "\(error)\(marked ?? "")" }
}
