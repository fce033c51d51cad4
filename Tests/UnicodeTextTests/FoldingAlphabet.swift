/// Texts of letters, marks and what is composed of them, by the properties that Swift itself knows.
struct FoldingAlphabet {
    private let marks: [Unicode.Scalar]
    private let lowMarks: [Unicode.Scalar]
    private let cased: [Unicode.Scalar]
    private let all: [Unicode.Scalar]

    init() {
        all = (UInt32(0x20)..<0x1F700).compactMap(Unicode.Scalar.init)
        marks = all.filter { $0.properties.isGraphemeExtend }
        lowMarks = marks.filter { $0.value < 0x510 }
        cased = all.filter { $0.properties.changesWhenLowercased || $0.properties.changesWhenCaseFolded }
    }

    func text(longest: Int, _ random: inout some RandomNumberGenerator) -> String {
        let length = Int.random(in: 1...longest, using: &random)
        var text = String.UnicodeScalarView()
        for _ in 0..<length { text.append(scalar(&random)) }
        return String(text)
    }

    func marks(longest: Int, _ random: inout some RandomNumberGenerator) -> String {
        let length = Int.random(in: 0...longest, using: &random)
        var text = String.UnicodeScalarView()
        for _ in 0..<length { text.append(pick(marks, &random)) }
        return String(text)
    }

    private func scalar(_ random: inout some RandomNumberGenerator) -> Unicode.Scalar {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: Unicode.Scalar(UInt8.random(in: 0x20...0x7E, using: &random))
        case 1: pick(lowMarks, &random)
        case 2, 3: pick(marks, &random)
        case 4: pick(cased, &random)
        // Latin, Greek and Cyrillic letters.
        case 5, 6: all[Int.random(in: 0x60..<0x500, using: &random)]
        default: pick(all, &random)
        }
    }

    private func pick(_ scalars: [Unicode.Scalar], _ random: inout some RandomNumberGenerator) -> Unicode.Scalar {
        scalars[Int.random(in: 0..<scalars.count, using: &random)]
    }
}
