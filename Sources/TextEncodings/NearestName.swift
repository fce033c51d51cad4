/// Finds the name that the user may have meant, for "did you mean".
public enum NearestName {
    /// Returns the name with the smallest edit distance, the first of several; nil if none is near enough.
    public static func find(_ word: String, among names: some Sequence<String>) -> String? {
        let typed = Array(word.lowercased().unicodeScalars)
        // Long texts are not typing errors, and the time grows with the product of both lengths.
        guard typed.count <= 64 else { return nil }
        var best: (name: String, distance: Int)?
        for name in names where name.unicodeScalars.count <= 128 {
            let scalars = Array(name.lowercased().unicodeScalars)
            let distance = distance(typed, scalars)
            let limit = max(1, min(typed.count, scalars.count) / 3)
            if distance <= limit, best.map({ distance < $0.distance }) ?? true { best = (name, distance) }
        }
        return best?.name
    }

    /// Returns the number of scalars to insert, delete, replace, or swap with an adjacent one, to turn one text into
    /// the other.
    static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
                var least = min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                current.append(least)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
