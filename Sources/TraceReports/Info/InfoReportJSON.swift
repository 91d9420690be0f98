import KeyModel
import LatencyAnalysis
import TraceFormat

extension InfoReport {
    /// Schema `keyflight.info/1`, one line with a line break.
    package var json: String {
        JSONText.objectText { json in
            json.member("schema", "keyflight.info/1")
            json.member("version", info.file.version)
            json.member("complete", info.file.isComplete)
            json.member("level", info.level.name)
            json.member("levels", objects: info.levels) { json, span in
                json.member("level", span.level.name)
                json.member("from_ns", span.from.nanoseconds)
                json.member("to_ns", span.to.nanoseconds)
                json.member("seq", span.sequence)
            }
            json.member("bytes", info.file.bytes)
            json.member("records", info.records)
            json.member("key_events", info.keyEvents)
            json.member("presses", info.presses)
            json.member("numbered_presses", info.numberedPresses)
            json.member("duration_ns", info.duration.nanoseconds)
            json.member("masked", info.isMasked)
            json.member("devices", array: info.devices) { $0.object(InfoReport.members(of: $1)) }
            json.member("clocks", array: info.clocks) { $0.object(InfoReport.members(of: $1)) }
            json.member("loss", object: LossLine.members(of: info.loss))
            writeMore(&json)
        } + "\n"
    }

    private func writeMore(_ json: inout JSONText) {
        json.member("form", info.file.form)
        json.member("repeats", info.repeats)
        json.member("cancels", info.cancels)
        json.member("texts", info.texts)
        json.member("resolutions", info.resolutions)
        json.member("idle_reports", info.idleReports)
        json.member("unknown_records", info.unknownRecords)
        json.member("clock_relations", array: info.clockRelations) { $0.object(InfoReport.members(of: $1)) }
        json.member("layouts", objects: info.layouts) { json, layout in
            json.member("name", layout.name)
            json.member("hash", layout.hash.hexadecimal(16))
            json.member("stored", layout.isStored)
        }
        if let adapter = info.adapter {
            json.member("adapter", object: { json in
                json.member("toolkit", adapter.toolkit)
                json.member("version", adapter.version)
                json.member("hooks", objects: adapter.hooks) { json, hook in
                    json.member("name", hook.name)
                    json.member("state", hook.state.rawValue)
                    json.member("methods", hook.methods)
                    json.member("reason", hook.reason)
                }
                json.member("install_ns", adapter.installTime)
            })
        }
        json.member("environment", objects: info.environment) { json, fact in
            json.member("name", fact.name)
            json.member("value", fact.value)
        }
    }

    private static func members(of device: DeviceRecord) -> (inout JSONText) -> Void {
        { json in
            json.member("id", device.device)
            json.member("name", device.name)
            json.member("source", device.source)
            // Only what is known: a Bluetooth keyboard has no endpoint, which is not the same as null.
            for (name, value) in [
                ("bus", device.bus), ("address", device.address), ("endpoint", device.endpoint),
                ("adapter", device.adapter),
            ] where value != nil { json.member(name, value) }
            if let transport = device.transport { json.member("transport", transport) }
            for (name, value) in [
                ("handle", device.handle), ("attribute", device.attribute), ("vid", device.vendor),
                ("pid", device.product),
            ] where value != nil { json.member(name, value) }
        }
    }

    private static func members(of relation: ClockRelationRecord) -> (inout JSONText) -> Void {
        { json in
            json.member("source", relation.source)
            json.member("reference", relation.reference)
            json.member("offset_ns", relation.offset)
            json.member("uncertainty_ns", relation.uncertainty?.nanoseconds)
            json.member("drift_ppb", relation.drift)
            json.member("residual_ns", relation.residual?.nanoseconds)
            json.member("matches", relation.matches)
            json.member("first_ns", relation.first?.nanoseconds)
            json.member("last_ns", relation.last?.nanoseconds)
        }
    }

    private static func members(of clock: ClockRecord) -> (inout JSONText) -> Void {
        { json in
            json.member("source", clock.source)
            json.member("unix_ns", clock.unixTime)
            json.member("granularity_ns", clock.granularity)
            json.member("backward_steps", clock.backwardSteps)
        }
    }
}

extension LossLine {
    /// The members of `loss`, the same in every report.
    static func members(of loss: LossSummary) -> (inout JSONText) -> Void {
        { json in
            json.member("dropped", loss.dropped)
            json.member("gaps", objects: loss.gaps) { json, gap in
                json.member("t_ns", gap.time.nanoseconds)
                json.member("duration_ns", gap.duration?.nanoseconds)
                json.member("cause", gap.cause.name)
                json.member("count", gap.count)
                json.member("detail", gap.detail)
            }
            if loss.gapsLeftOut > 0 { json.member("gaps_left_out", loss.gapsLeftOut) }
            json.member("synthetic", loss.synthetic)
            json.member("damaged", about: loss.damage) { json, damage in
                json.member("offset", damage.offset)
                json.member("reason", damage.reason)
                json.member("records_lost", damage.recordsLost)
            }
            json.member("uncounted_drops", loss.uncountedDrops)
        }
    }
}
