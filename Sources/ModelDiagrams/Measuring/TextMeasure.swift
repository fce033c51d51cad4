/// Measures the width of texts without a font, so that boxes fit them.
///
/// The widths are those of DejaVu Sans, which is wider than Helvetica, Arial and Liberation Sans for nearly every
/// letter: a text is never wider than measured, whichever of them is used.
enum TextMeasure {
    /// Returns the width in units of the font's size.
    static func width(_ text: String, size: Double, isBold: Bool = false) -> Double {
        let table = isBold ? bold : regular
        var thousandths = 0
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x20...0x7E: thousandths += table[Int(scalar.value) - 0x20]
            // Accented Latin, Greek and Cyrillic letters are at most as wide as a capital M.
            case 0xA0..<0x2000: thousandths += 900
            default: thousandths += 1_100
            }
        }
        return Double(thousandths) * size / 1000
    }

    /// Returns the text, truncated with an ellipsis if it is wider than a limit.
    static func fitted(_ text: String, width limit: Double, size: Double, isBold: Bool = false) -> String {
        guard width(text, size: size, isBold: isBold) > limit else { return text }
        var kept = text
        while !kept.isEmpty, width(kept + "…", size: size, isBold: isBold) > limit { kept.removeLast() }
        return kept + "…"
    }

    /// The advance widths of U+0020 to U+007E, in thousandths of the font size.
    private static let regular = [
        318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636,
        636,
        636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557,
        863,
        748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550,
        635,
        615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525,
        636,
        337, 636, 838,
    ]

    private static let bold = [
        348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365, 696, 696, 696, 696, 696, 696,
        696,
        696, 696, 696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830, 683, 683, 821, 837, 372, 372, 775, 637,
        995,
        837, 850, 733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457, 365, 457, 838, 500, 500, 675, 716, 593,
        716,
        678, 435, 716, 712, 343, 343, 665, 343, 1042, 712, 687, 716, 716, 493, 595, 478, 712, 652, 924, 645, 652, 582,
        712,
        365, 712, 838,
    ]
}
