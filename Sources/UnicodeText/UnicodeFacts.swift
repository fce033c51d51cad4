internal import CICU

/// Properties of scalars in CoreFoundation's tables: the same as ICU's, except for the few scalars here.
enum UnicodeFacts {
    /// Returns the scalars of a scalar's full case folding; the scalar itself if it has none.
    static func caseFolding(of scalar: UInt32) -> [UInt32] {
        switch scalar {
        case 0x41...0x5A: return [scalar + 0x20]
        case ..<0x80: return [scalar]
        // Cherokee: CoreFoundation folds to the small letters, Unicode to the capitals, which are older.
        case 0x13A0...0x13EF: return [scalar - 0x13A0 + 0xAB70]
        case 0x13F0...0x13F5: return [scalar + 8]
        case 0x13F8...0x13FD, 0xAB70...0xABBF: return [scalar]
        // Forms of Cyrillic letters that CoreFoundation does not fold.
        case 0x1C80...0x1C88: return [scalar]
        default: return list(ferry_case_folding(scalar))
        }
    }

    /// Returns the scalars of the full canonical decomposition; empty if there is none.
    static func decomposition(of scalar: UInt32) -> [UInt32] {
        scalar < 0xC0 ? [] : list(ferry_canonical_decomposition(scalar))
    }

    /// Returns whether the scalar extends the preceding letter.
    static func extends(_ scalar: UInt32) -> Bool {
        switch scalar {
        case ..<0x300: false
        // The skin tones of emoji.
        case 0x1F3FB...0x1F3FF: true
        default: ferry_extends_grapheme(scalar)
        }
    }

    static func combiningClass(_ scalar: UInt32) -> UInt8 {
        ferry_combining_class(scalar)
    }

    private static func list(_ scalars: ferry_scalars) -> [UInt32] {
        switch scalars.count {
        case 0: []
        case 1: [scalars.first]
        case 2: [scalars.first, scalars.second]
        case 3: [scalars.first, scalars.second, scalars.third]
        default: [scalars.first, scalars.second, scalars.third, scalars.fourth]
        }
    }
}
