/// Formats numbers for people to read.
public enum Quantity {
    /// Returns a size such as `1.5 MiB`; sizes below 1 KiB in bytes.
    public static func bytes(_ count: Int64) -> String {
        var value = Double(count)
        for unit in ["bytes", "KiB", "MiB", "GiB"] {
            if value.magnitude < 1024 { return unit == "bytes" ? "\(count) bytes" : decimal(value, 1) + " " + unit }
            value /= 1024
        }
        return decimal(value, 1) + " TiB"
    }

    /// Returns a number with spaces between thousands, such as `1 234 567`.
    public static func count(_ count: Int64) -> String {
        let digits = Array(String(count.magnitude))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(" ") }
            text.append(digit)
        }
        return count < 0 ? "-" + text : text
    }

    /// Returns a number with a noun, such as `1 record` or `2 000 records`; by default the plural is the noun with an
    /// s.
    public static func count(_ count: Int64, _ noun: String, plural: String? = nil) -> String {
        "\(self.count(count)) \(count == 1 ? noun : plural ?? noun + "s")"
    }

    /// Returns a duration such as `0.25 s`, `1:05` or `1:00:05`.
    public static func duration(_ seconds: Double) -> String {
        guard seconds >= 60 else { return decimal(max(0, seconds), 2) + " s" }
        let whole = Int(min(seconds, 1e12).rounded())
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        return hours > 0 ? "\(hours):\(padded(minutes)):\(padded(whole % 60))" : "\(minutes):\(padded(whole % 60))"
    }

    /// Returns a number with one or two decimal places.
    public static func decimal(_ value: Double, _ places: Int) -> String {
        let scale = places == 1 ? 10.0 : 100.0
        let scaled = Int64((value * scale).rounded())
        let fraction = String(scaled.magnitude % UInt64(scale))
        let padding = String(repeating: "0", count: places - fraction.count)
        return "\(scaled < 0 ? "-" : "")\(scaled.magnitude / UInt64(scale)).\(padding)\(fraction)"
    }
}
