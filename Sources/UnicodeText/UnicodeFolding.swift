internal import CICU

/// Folds texts as `CFStringFold` does without a locale, scalar for scalar.
///
/// Case folding is full (ß becomes ss). Marks on Latin, Greek and Cyrillic letters are dropped (é becomes e, but ø
/// stays); those on letters of other scripts are kept, in canonical order.
public enum UnicodeFolding {
    /// The end of the range of scalars for scripts whose marks are dropped, and those marks.
    private static let firstScalarWithMarks: UInt32 = 0x510

    /// The maximum number of marks that are processed together with their letter.
    private static let longestCluster = 64

    /// Returns a text such that two texts have equal results if they differ only in what the options ignore.
    public static func folded(_ text: String, _ options: FoldingOptions) -> String {
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            var cluster = FoldedCluster(scalar.value, options)
            if options.contains(.diacriticInsensitive) { takeMarks(of: &cluster, from: &rest) }
            for value in cluster.scalars {
                if let scalar = Unicode.Scalar(value) { result.append(scalar) }
            }
        }
        return String(result)
    }

    /// Removes the marks of a letter from the text; those that are kept are added to the letter.
    private static func takeMarks(of cluster: inout FoldedCluster, from rest: inout Substring.UnicodeScalarView) {
        let keepsMarks = cluster.scalars[0] >= firstScalarWithMarks
        // The first mark after an unchanged letter is dropped if it belongs to one of those scripts.
        var keepsAnyMark = cluster.isChanged
        while cluster.scalars.count < longestCluster, let mark = rest.first?.value, UnicodeFacts.extends(mark) {
            if keepsMarks && (keepsAnyMark || mark >= firstScalarWithMarks) {
                let parts = UnicodeFacts.decomposition(of: mark)
                guard cluster.scalars.count + max(parts.count, 1) <= longestCluster else { break }
                cluster.scalars += parts.isEmpty ? [mark] : parts
            }
            keepsAnyMark = true
            rest.removeFirst()
        }
        cluster.sortMarks()
    }

    /// A letter, folded, with the marks that are kept.
    private struct FoldedCluster {
        var scalars: [UInt32]
        let isChanged: Bool

        init(_ scalar: UInt32, _ options: FoldingOptions) {
            var base = scalar
            var dropsMarks = false
            if options.contains(.diacriticInsensitive) {
                if let first = UnicodeFacts.decomposition(of: scalar).first, first < firstScalarWithMarks {
                    base = first
                }
                dropsMarks = base < firstScalarWithMarks
            }
            scalars = options.contains(.caseInsensitive) ? UnicodeFacts.caseFolding(of: base) : [base]
            isChanged = scalars != [base]
            if isChanged, dropsMarks {
                let letters = scalars.filter { !UnicodeFacts.extends($0) }
                if !letters.isEmpty { scalars = letters }
            }
        }

        mutating func sortMarks() {
            guard scalars.count > 1 else { return }
            let classes = scalars.map(UnicodeFacts.combiningClass)
            guard zip(classes, classes.dropFirst()).contains(where: { $0 > $1 }) else { return }
            scalars = scalars.indices.sorted { (classes[$0], $0) < (classes[$1], $1) }.map { scalars[$0] }
        }
    }
}
