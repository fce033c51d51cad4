/// Damages bytes as broken disks, cut transfers and attackers do.
public enum Mutation {
    /// Values that counts, markers and references are often attacked with.
    private static let special: [UInt8] = [
        0x00, 0x01, 0x0F, 0x13, 0x1F, 0x4F, 0x6F, 0x7F, 0x80, 0xAF, 0xDF, 0xFE, 0xFF,
    ]

    public static func mutate(_ bytes: [UInt8], with random: inout RandomNumbers) -> [UInt8] {
        var result = bytes
        for _ in 0...Int.random(in: 0..<4, using: &random) where !result.isEmpty {
            let place = Int.random(in: 0..<result.count, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: result[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: result[place] = UInt8.random(in: 0...255, using: &random)
            case 2: result[place] = special.randomElement(using: &random) ?? 0
            case 3:
                // The trailer and the table before it decide most.
                let nearEnd = max(0, result.count - 1 - Int.random(in: 0..<64, using: &random))
                result[nearEnd] = special.randomElement(using: &random) ?? 0
            case 4: result.removeLast(Int.random(in: 0..<min(40, result.count), using: &random))
            case 5: result.remove(at: place)
            case 6: result.insert(UInt8.random(in: 0...255, using: &random), at: place)
            default:
                let other = Int.random(in: 0..<result.count, using: &random)
                let length = min(Int.random(in: 1..<17, using: &random), result.count - max(place, other))
                result.replaceSubrange(
                    place..<(place + length), with: bytes.prefix(result.count).dropFirst(other).prefix(length))
            }
        }
        return result
    }
}
